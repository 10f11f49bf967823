/** Laws of blocks that no grammar knows: one of another name replaces none, and one of many is no whole file. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Kind {
  readonly path: string;
  readonly block: (name: string, value: string) => string;
  readonly names: readonly [one: string, other: string];
  /** What stands around all blocks. */
  readonly around?: readonly [above: string, below: string];
}

const KINDS: readonly Kind[] = [
  { path: "a_spec.rb", block: (name, value) => `  describe '${name}' do\n    it 'ends' do\n      expect(${value}).to eq(3)\n    end\n  end\n`, names: ["#total", "#table"], around: ["RSpec.describe Report do\n", "end\n"] },
  { path: "b_spec.rb", block: (name, value) => `  context '${name}' do\n    it 'ends' do\n      expect(${value}).to eq(3)\n    end\n  end\n`, names: ["when full", "when empty"], around: ["RSpec.describe Report do\n", "end\n"] },
  { path: "a.conf", block: (name, value) => `    location ${name} {\n        proxy_pass http://api${value};\n    }\n`, names: ["/one", "/two"], around: ["server {\n    listen 80;\n\n", "}\n"] },
  { path: "b.conf", block: (name, value) => `<VirtualHost ${name}>\n    ServerName a${value}\n</VirtualHost>\n`, names: ["*:80", "*:443"] },
  { path: "a.tf", block: (name, value) => `resource "aws_s3_bucket" "${name}" {\n  bucket = "b${value}"\n}\n`, names: ["logs", "images"] },
  { path: "b.tf", block: (name, value) => `variable "${name}" {\n  default = "${value}"\n}\n`, names: ["region", "zone"] },
  { path: "a.graphql", block: (name, value) => `type ${name} {\n  id: ID!\n  field${value}: String\n}\n`, names: ["User", "Post"] },
  { path: "a.prisma", block: (name, value) => `model ${name} {\n  id Int @id\n  field${value} String\n}\n`, names: ["User", "Post"] },
  { path: "a.proto", block: (name, value) => `message ${name} {\n  string name = ${value};\n}\n`, names: ["Request", "Reply"] },
  { path: "routes.rb", block: (name, value) => `  resources :${name} do\n    member do\n      get :show${value}\n    end\n  end\n`, names: ["users", "posts"], around: ["Rails.application.routes.draw do\n", "end\n"] },
  { path: "Vagrantfile", block: (name, value) => `  config.vm.provider "${name}" do |box|\n    box.memory = ${value}\n  end\n`, names: ["virtualbox", "libvirt"], around: ["Vagrant.configure(\"2\") do |config|\n", "end\n"] },
  { path: "a.ini", block: (name, value) => `[${name}]\nlevel = ${value}\nother = 1\n`, names: ["main", "test"] },
  { path: "rules.yml", block: (name, value) => `  - name: ${name}\n    run: make ${value}\n`, names: ["build", "check"], around: ["rules:\n", ""] },
  { path: "a.toml", block: (name, value) => `[[bin]]\nname = "${name}"\npath = "${value}.rs"\n`, names: ["one", "two"] },
];
const SENTENCES: ReadonlyArray<(path: string) => string> = [
  (path) => `In \`${path}\`:`,
  (path) => `\`${path}\`:`,
  (path) => `**${path}**`,
  (path) => `And in \`${path}\`:`,
  (path) => `Update \`${path}\`:`,
];
const RUNS = KINDS.flatMap((kind) =>
  SENTENCES.flatMap((tell) => ["1", "2"].map((value) => ({ ...kind, path: kind.path, sentence: tell(kind.path), value }))),
);

let landed = 0;

test.each(RUNS)("a block of another name replaces none: $sentence, value $value", async ({ path, block, names, around: [above, below] = ["", ""], sentence, value }) => {
  const [one, other] = names;
  const before = above + block(one, "1") + below;
  const result = await answered(path, before, `${sentence}\n\n\`\`\`\n${block(other, value)}\`\`\`\n`);
  for (const line of before.split("\n")) expect(result.split("\n"), result).toContain(line);
});

test.each(RUNS.filter(({ value, path }) => value === "2" && path !== "a.toml"))("one of the same name replaces it: $sentence", async ({ path, block, names: [one], around: [above, below] = ["", ""], sentence }) => {
  const [before, after] = ["1", "2"].map((value) => above + block(one, value) + below) as [string, string];
  const result = await answered(path, before, `${sentence}\n\n\`\`\`\n${block(one, "2")}\`\`\`\n`);
  expect([before, after]).toContain(result);
  landed += Number(result === after);
});

test("most that have the same name land", () => {
  expect(landed).toBeGreaterThan(60);
});

const RULE = (selector: string, value: number, depth = ""): string => `${depth}${selector} {\n${depth}  margin: ${value}px;\n${depth}}\n`;

test.each(["a.scss", "a.less", "a.css"].flatMap((path) => SENTENCES.map((tell) => ({ path, sentence: tell(path) }))))("one of many blocks is no whole file: $sentence", async ({ path, sentence }) => {
  const media = (rules: string): string => `@media (max-width: 600px) {\n${rules}}\n`;
  const [old, now] = [media(RULE(".app", 1, "  ")), media(`${RULE(".app", 1, "  ")}\n${RULE(".note", 2, "  ")}`)];
  const textWith = (shown: string): string => `${RULE(".app", 0)}\n${RULE(".card", 8)}\n${shown}`;
  expect(await answered(path, textWith(old), `${sentence}\n\n\`\`\`\n${now}\`\`\`\n`)).toBe(textWith(now));
});

/** A block without a name is an old form of the one that has its word. */
test.each(["dependencies", "terraform", "server", "events"])("%s {", async (word) => {
  const file = `${word} {\n  size 1\n  level 2\n}\n\nother {\n  size 3\n}\n`;
  const now = file.replace("level 2", "level 5");
  expect(await answered("a.gradle", file, `\`a.gradle\`:\n\n\`\`\`\n${now}\`\`\`\n`)).toBe(now);
});
