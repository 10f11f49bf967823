interface Branch extends Map<string, Branch> {}

/**
 * Draws paths as a tree, one line for each name, in the order of the paths. A directory with one entry shares its line.
 */
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

/** Keeps an address as part of one name, even if it contains `/`. */
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
