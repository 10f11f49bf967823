/** The law of placeholders in what is new: where a sentence only adds, no line of the file goes. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const JS = "function run(items) {\n  for (const item of items) {\n    save(item);\n    log(item);\n  }\n}\n";
const PY = "def run(path):\n    with open(path) as handle:\n        data = load(handle)\n        check(data)\n";
const RS = "fn run(a: i32) {\n    loop {\n        step(a);\n    }\n}\n";
const TSX = 'export function App() {\n  return (\n    <main className="page">\n      <Head />\n      <List />\n    </main>\n  );\n}\n';
const IFS = "function run(a, b) {\n  if (a.one) {\n    x1();\n  } else {\n    y1();\n  }\n  log(a);\n  if (b.two) {\n    x2();\n  } else {\n    y2();\n  }\n}\n";
const USERS = "function f(user) {\n  audit(user);\n  if (user.isAdmin) {\n    one();\n    two();\n  }\n}\n";
const CASES = 'function f(x) {\n  switch (x) {\n    case "alpha":\n      one();\n      break;\n    case "beta":\n      two();\n      break;\n    default:\n      three();\n  }\n}\n';
const NGINX = "server {\n    location /a {\n        proxy_pass http://a;\n        proxy_set_header X a;\n    }\n    location /b {\n        proxy_pass http://b;\n        proxy_set_header X b;\n    }\n}\n";
const CS = "class A\n{\n    void run(int a)\n    {\n        Setup(a);\n        foreach (var x in Xs)\n        {\n            One(x);\n            Two(x);\n        }\n        Finish(a);\n    }\n\n    void Other()\n    {\n    }\n}\n";
const HOLE = "... existing code ...";

/** The file, and what an answer shows of it. */
const SHOWN: ReadonlyArray<readonly [path: string, file: string, shown: string]> = [
  ...["while (busy()) {", "if (items.length > 0 && isOnline()) {", "for (let attempt = 0; attempt < 3; attempt++) {", "lock(() => {", "try {"].map(
    (head) => ["a.js", JS, `function run(items) {\n  ${head}\n    // ${HOLE}\n  }\n}\n`] as const,
  ),
  ...["with timer(path) as clock:", "for attempt in range(3):", "if path:"].map((head) => ["a.py", PY, `def run(path):\n    ${head}\n        # ${HOLE}\n`] as const),
  ...["lock (gate)", "if (a > 0)", "using (var log = Open(a))", "try"].flatMap((head) =>
    ["", "        Setup(a);\n"].map(
      (above) => ["a.cs", CS, `    void run(int a)\n    {\n${above}        ${head}\n        {\n            // ${HOLE}\n        }\n        Finish(a);\n    }\n`] as const,
    ),
  ),
  ...["unsafe {", "while a > 0 {"].map((head) => ["a.rs", RS, `fn run(a: i32) {\n    ${head}\n        // ${HOLE}\n    }\n}\n`] as const),
  ...["ErrorBoundary", "Suspense fallback={null}"].map((tag) => ["a.tsx", TSX, `export function App() {\n  return (\n    <${tag}>\n      {/* ${HOLE} */}\n    </${tag.split(" ")[0]}>\n  );\n}\n`] as const),
  ["a.js", IFS, `function run(a, b) {\n  if (a.one) {\n    // ${HOLE}\n  } else {\n    // ${HOLE}\n    z();\n  }\n  // ${HOLE}\n}\n`],
  ["a.js", USERS, `function f(user) {\n  // ${HOLE}\n  if (user.isAdmin) {\n    // ${HOLE}\n  }\n  if (user.isGuest) {\n    // ${HOLE}\n    three();\n  }\n}\n`],
  ["a.js", CASES, `function f(x) {\n  switch (x) {\n    case "alpha":\n      // ${HOLE}\n    case "gamma":\n      four();\n      break;\n    default:\n      // ${HOLE}\n  }\n}\n`],
  ["a.conf", NGINX, "    location /a {\n        limit_req zone=a;\n    }\n    location /b {\n        limit_req zone=b;\n    }\n"],
];
const SENTENCES = ["Add a guard in `PATH`:", "Wrap it in `PATH`:", "In `PATH`, also handle the other case:"];

test.each(SHOWN.flatMap(([path, file, shown]) => SENTENCES.map((sentence) => ({ sentence, path, file, shown }))))("$sentence $path $shown", async ({ sentence, path, file, shown }) => {
  const linesOf = (text: string): readonly string[] => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const now = linesOf(await answered(path, file, `${sentence.replace("PATH", path)}\n\n\`\`\`\n${shown}\`\`\`\n`));
  let at = 0;
  const lost = linesOf(file).filter((line) => {
    const next = now.indexOf(line, at);
    if (next !== -1) at = next + 1;
    return next === -1;
  });
  expect(lost).toEqual([]);
  expect(now.filter((line) => line.includes("existing code"))).toEqual([]);
});

/** What stands around the old statements afterwards: the new block, deeper by one step. */
const AROUND: ReadonlyArray<readonly [path: string, name: string, file: string, block: string, after: string]> = [
  ["a.py", "load", "def load(path):\n    data = read(path)\n    return parse(data)\n", "    with lock:\n        # ... existing code ...\n", "    with lock:\n        data = read(path)\n        return parse(data)\n"],
  ["a.py", "load", "def load(path):\n    data = read(path)\n    return parse(data)\n", "    try:\n        # ... existing code ...\n    except OSError:\n        return None\n", "    try:\n        data = read(path)\n        return parse(data)\n    except OSError:\n        return None\n"],
  ["a.py", "load", 'def load(path):\n    """Loads it."""\n    with open(path) as handle:\n        return parse(handle)\n', "    if path:\n        # ... existing code ...\n", '    """Loads it."""\n    if path:\n        with open(path) as handle:\n            return parse(handle)\n'],
  ["a.ts", "load", "function load(path: string) {\n  const data = read(path);\n\n  if (data) {\n    log(data);\n  } else {\n    warn(path);\n  }\n  return data;\n}\n", "  try {\n    // ... existing code ...\n  } catch (error) {\n    report(error);\n  } finally {\n    close();\n  }\n", "  try {\n    const data = read(path);\n\n    if (data) {\n      log(data);\n    } else {\n      warn(path);\n    }\n    return data;\n  } catch (error) {\n    report(error);\n  } finally {\n    close();\n  }\n"],
  ["a.rb", "load", "def load(path)\n  data = read(path)\n  parse(data)\nend\n", "  begin\n    # ... existing code ...\n  rescue IOError\n    nil\n  end\n", "  begin\n    data = read(path)\n    parse(data)\n  rescue IOError\n    nil\n  end\n"],
  ["a.go", "load", "func load() {\n\tfirst()\n\tsecond()\n}\n", "\tif ready {\n\t\t// ... existing code ...\n\t}\n", "\tif ready {\n\t\tfirst()\n\t\tsecond()\n\t}\n"],
];

test.each(AROUND)("%s: %s is wrapped in %s%s", async (path, name, file, block, after) => {
  const [head = "", ...lines] = file.split("\n");
  const foot = path === "a.py" ? "" : `${lines.at(-2)}\n`;
  const rest = path === "a.go" ? "\nfunc other() {\n}\n" : "";
  const before = `${path === "a.go" ? "package a\n\n" : ""}${file}${rest}`;
  const answer = `Wrap the body of \`${name}\` in \`${path}\`:\n\n\`\`\`\n${head}\n${block}${foot}\`\`\`\n`;
  expect(await answered(path, before, answer)).toBe(before.replace(file, `${head}\n${after}${foot}`));
});

/** A new head of the only block may be that of the old one: it is not put around it. */
test.each([
  ["a.js", JS, "function run(items) {\n  while (items.length > 0) {\n    // ... existing code ...\n  }\n}\n"],
  ["a.js", JS, "function run(items) {\n  items.forEach((item) => {\n    // ... existing code ...\n  });\n}\n"],
  ["a.js", "function run(items) {\n  const text = `\n    one\n  `;\n  save(items, text);\n}\n", "function run(items) {\n  try {\n    // ... existing code ...\n  } finally {\n    close();\n  }\n}\n"],
  ["a.js", "class A {\n  run() {\n    one();\n  }\n\n  save() {\n    two();\n  }\n\n  stop() {\n    three();\n  }\n}\n", "class A {\n  start() {\n    // ... existing code ...\n  }\n}\n"],
  ["a.js", "function run(user) {\n  one(user);\n  two(user);\n  three(user);\n}\n", "function run(user) {\n  one(user);\n  if (!user) {\n    // ... existing code ...\n    return;\n  }\n}\n"],
  ["a.py", PY, "def run(path):\n    with closing(path) as handle:\n        # ... existing code ...\n"],
])("%s: a new head is refused: %s", async (path, file, shown) => {
  expect(await answered(path, file, `Update \`run\` in \`${path}\`:\n\n\`\`\`\n${shown}\`\`\`\n`)).toBe(file);
});

/** A head of several lines, or one that continues the statement above it, is that of another block in the file. */
const OTHERS: ReadonlyArray<readonly [path: string, name: string, file: string, shown: string]> = [
  ["a.jsx", "Page", "export function Page() {\n  return (\n    <main>\n      <Foo a=\"1\" b=\"2\">\n        <p>one</p>\n        <p>two</p>\n      </Foo>\n      <Bar\n        x=\"1\"\n        y=\"2\"\n      >\n        <b>three</b>\n        <b>four</b>\n      </Bar>\n    </main>\n  );\n}\n\nexport function Other() {\n  return null;\n}\n", "export function Page() {\n  return (\n    <main>\n      <Foo\n        a=\"1\"\n        b=\"2\"\n        c=\"3\"\n      >\n        {/* ... existing code ... */}\n      </Foo>\n      {/* ... existing code ... */}\n    </main>\n  );\n}\n"],
  ["a.js", "run", "function run(a, b, c) {\n  if (a && b) {\n    one();\n    two();\n  }\n  while (\n    a.next &&\n    b.next\n  ) {\n    three();\n    four();\n  }\n  return c;\n}\n\nfunction other() {\n  return 1;\n}\n", "function run(a, b, c) {\n  if (\n    a &&\n    b &&\n    c\n  ) {\n    // ... existing code ...\n  }\n  // ... existing code ...\n  return c;\n}\n"],
  ["a.js", "f", "function f(a, b) {\n  if (a.one) {\n    x1();\n    x2();\n  }\n  log(a);\n  if (b.two) {\n    y1();\n    y2();\n  } else {\n    z1();\n    z2();\n  }\n  return a.name;\n}\n\nfunction other() {\n  return 1;\n}\n", "function f(a, b) {\n  if (a.one) {\n    // ... existing code ...\n  } else {\n    // ... fall back as before ...\n    w();\n  }\n  // ... existing code ...\n  return a.id;\n}\n"],
];

test.each(OTHERS)("%s: %s is refused", async (path, name, file, shown) => {
  expect(await answered(path, file, `Update \`${name}\` in \`${path}\`:\n\n\`\`\`\n${shown}\`\`\`\n`)).toBe(file);
});

/** A placeholder in what is new stands for nothing in the file. */
const NEW: ReadonlyArray<readonly [path: string, file: string, shown: string]> = [
  ["a.yml", "jobs:\n  build:\n    runs: one\n    steps: a\n  deploy:\n    runs: two\n    steps: b\n", "jobs:\n  lint:\n    # HOLE\n"],
  ["a.yml", "jobs:\n  build:\n    runs: one\n    steps: a\n", "jobs:\n  lint:\n    runs: two\n    # HOLE\n"],
  ["a.py", "def load(path):\n    return path\n\n\ndef save(path):\n    return 1\n", "def send(path):\n    check(path)\n    # HOLE\n"],
  ["a.py", "class A:\n    def load(self):\n        return 1\n", "class A:\n    def send(self):\n        check(self)\n        # HOLE\n"],
  ["a.js", "function load(path) {\n  return path;\n}\n", "function send(path) {\n  check(path);\n  // HOLE\n}\n"],
  ["a.css", ".load {\n  color: red;\n}\n", ".send {\n  color: red;\n  /* HOLE */\n}\n"],
  ["a.rb", "def load(path)\n  path\nend\n", "def send(path)\n  check(path)\n  # HOLE\nend\n"],
];
const HOLES = ["... existing code ...", "... rest of the code ...", "... (unchanged)", "..."];

test.each(NEW.flatMap(([path, file, shown]) => SENTENCES.concat("Update `PATH`:", "Add this to `PATH`:").flatMap((sentence) => HOLES.map((hole) => ({ path, file, hole, sentence, shown })))))(
  "$path: $sentence $hole in what is new",
  async ({ path, file, hole, sentence, shown }) => {
    const answer = `${sentence.replace("PATH", path)}\n\n\`\`\`\n${shown.replace("HOLE", hole)}\`\`\`\n`;
    expect(await answered(path, file, answer)).toBe(file);
  },
);

test("the end of a block goes below a placeholder only where a sentence takes it away", async () => {
  const file = "def f(user):\n    one(user)\n    save(user)\n    cleanup(user)\n\n\ndef other():\n    return 1\n";
  const shown = "```python\ndef f(user):\n    # ... existing code ...\n    save(user, force=True)\n```\n";
  const told = "I removed the call of `cleanup` from `f`. ";
  const after = file.replace("save(user)\n    cleanup(user)", "save(user, force=True)");
  expect(await answered("a.py", file, `Update \`f\` in \`a.py\`:\n\n${shown}`)).toBe(file);
  expect(await answered("a.py", file, `${told}Update \`f\` in \`a.py\`:\n\n${shown}`)).toBe(after);
});
