interface Branch extends Map<string, Branch> {}

/** Paths as a tree, a line for each name; directories that hold but one entry stand on one line with it. In the order of the paths. */
export function drawTree(paths: readonly string[]): string[] {
  const root: Branch = new Map();
  for (const path of paths) {
    let at = root;
    for (const name of namesIn(path)) {
      const next: Branch = at.get(name) ?? new Map();
      at.set(name, next);
      at = next;
    }
  }
  return linesOf(root, "");
}

/** An address is one name, whatever is in it. */
function namesIn(path: string): string[] {
  const [file = "", ...steps] = path.split("@@");
  const names = file.split("/");
  const last = [names.pop(), ...steps].join("@@");
  return [...names.map((name) => `${name}/`), last];
}

function linesOf(branch: Branch, indent: string): string[] {
  return [...branch].flatMap(([name, below]) => {
    const [whole, inside] = joined(name, below);
    return [`${indent}${whole}`, ...linesOf(inside, `${indent}  `)];
  });
}

function joined(name: string, below: Branch): [string, Branch] {
  const [only, ...others] = below;
  return only === undefined || others.length > 0 ? [name, below] : joined(name + only[0], only[1]);
}
