/** The law of a further element: what a sentence adds to a list never takes the place of one that is there. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** Files with the place of the new element, that, and whether it has to land. */
const LISTS: readonly (readonly [path: string, text: string, code: string, lands: boolean])[] = [
  ["pom.xml", "<project>\n  <dependencies>\n    <dependency>\n      <groupId>a</groupId>\n      <scope>test</scope>\n    </dependency>\n<>  </dependencies>\n</project>\n", "    <dependency>\n      <groupId>b</groupId>\n      <scope>test</scope>\n    </dependency>", true],
  ["index.html", '<ul>\n  <li>\n    <a href="/">Home</a>\n    <i></i>\n  </li>\n<></ul>\n', '  <li>\n    <a href="/menu">Menu</a>\n    <i></i>\n  </li>', true],
  ["App.jsx", 'const App = () => (\n  <Menu>\n    <Item\n      to="/"\n      icon={home}\n    />\n<>  </Menu>\n);\n', '    <Item\n      to="/about"\n      icon={home}\n    />', false],
  ["Manifest.xml", '<manifest>\n  <activity\n      name=".Main"\n      exported="true" />\n<></manifest>\n', '  <activity\n      name=".Detail"\n      exported="true" />', false],
  ["menu.json", '{\n  "items": [\n    {\n      "id": 1,\n      "hot": true\n    }<>\n  ]\n}\n', '    {\n      "id": 2,\n      "hot": true\n    }', true],
  ["routes.js", "export const routes = [\n  {\n    path: '/',\n    exact: true,\n  },\n<>];\n", "  {\n    path: '/about',\n    exact: true,\n  },", true],
  ["cases_test.go", 'package a\n\nvar cases = []struct {\n\tname string\n}{\n\t{\n\t\tname: "a",\n\t},\n<>}\n', '\t{\n\t\tname: "b",\n\t},', true],
  ["jobs.yml", "jobs:\n  - name: build\n    image: node\n<>", "  - name: deploy\n    image: node", true],
  ["top.yml", "- name: build\n  image: node\n<>", "- name: deploy\n  image: node", true],
];
const ADDS = ["Add this X to `PATH`:", "In `PATH`, add an X:", "**PATH**\n\nAdd another X:", "Add a second X in `PATH`:", "You need one more X in `PATH`:", "Füge in `PATH` hinzu:", "在 `PATH` 中添加:"];
/** Sentences that may also mean the new form of the one that is there. */
const MAY_ADD = ["Update `PATH` with the new X:", "### PATH\n\nNew X:"];
const dedented = (code: string): string => code.replaceAll(new RegExp(`^${/^\s*/.exec(code)?.[0] ?? ""}`, "gm"), "");

test.each(LISTS)("%s", async (path, text, code, lands) => {
  const before = text.replace("<>", "");
  const after = text.replace(/(\}?)<>/, (_, end: string) => (path.endsWith(".json") ? `${end},\n${code}` : `${end}${code}\n`));
  for (const way of [...ADDS, ...MAY_ADD]) {
    const landed = await answered(path, before, `${way.replaceAll("PATH", path).replaceAll("X", "entry")}\n\n\`\`\`\n${dedented(code)}\n\`\`\`\n`);
    expect(lands && ADDS.includes(way) ? [after] : [before, after], `${way}\n${landed}`).toContain(landed);
  }
});

test("an element that has the old one's words is a new form of it", async () => {
  const text = '<ul>\n  <li>\n    <a class="x" href="/">Home</a>\n  </li>\n</ul>\n';
  expect(await answered("a.html", text, 'Add a class to the item in `a.html`:\n\n```\n<li>\n  <a class="x active" href="/">Home</a>\n</li>\n```\n')).toBe(text.replace('"x"', '"x active"'));
});

test("an element of another list, and one whose list is not told, leave the file as it is", async () => {
  const volumes = "volumes:\n  - name: data\n    path: /data\n";
  const steps = "a:\n  steps:\n    - name: x\n      run: x\nb:\n  steps:\n    - name: y\n      run: y\n";
  expect(await answered("a.yml", volumes, "Add this container to `a.yml`:\n\n```\n- name: web\n  image: nginx\n```\n")).toBe(volumes);
  expect(await answered("a.yml", steps, "Add this step to `a.yml`:\n\n```\n- name: z\n  run: z\n```\n")).toBe(steps);
});
