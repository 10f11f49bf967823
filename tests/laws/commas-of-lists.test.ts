/** The law of a member that is added to a list: every member but the last one has a comma, and that as the file has it. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface List {
  readonly path: string;
  readonly head: string;
  readonly foot: string;
  /** How sentences call it. */
  readonly name: string;
  /** Members with the words that name them. */
  readonly members: readonly (readonly [name: string, text: string])[];
  /** A further one, with its name. */
  readonly added: readonly [name: string, text: string];
  /** Whether the last member may have a comma, or has to. */
  readonly last?: "none" | "comma" | ";";
  /** Whether its name is that of something with more than these members, so that a sentence has to tell one beside. */
  readonly isInner?: true;
  /** Whether its language has lists of this form without commas too, so that one member does not tell. */
  readonly isLoose?: true;
}

const LISTS: readonly List[] = [
  { path: "a.js", name: "api", head: "export const api = {\n", foot: "};\n", members: [["list", "  list: (kind) => read(kind)"], ["find", "  find: (id) => read(id)"]], added: ["save", "  save: (id, item) => write(id, item)"] },
  { path: "b.js", name: "createRoot", head: "export function createRoot(container) {\n  return {\n", foot: "  };\n}\n", members: [["hide", "    hide: function () {\n      clear(container, 1);\n    }"], ["render", "    render(children) {\n      draw(children, container);\n    }"]], added: ["unmount", "    unmount() {\n      remove(container);\n    }"], isInner: true },
  { path: "c.ts", name: "routes", head: "export const routes: Route[] = [\n", foot: "];\n", members: [["home", '  { path: "/home", view: home }'], ["about", '  { path: "/about", view: about }']], added: ["help", '  { path: "/help", view: help }'] },
  { path: "d.ts", name: "Kind", head: "export enum Kind {\n", foot: "}\n", members: [["Small", '  Small = "small"'], ["Large", '  Large = "large"']], added: ["Huge", '  Huge = "huge"'] },
  { path: "e.py", name: "LIMITS", head: "LIMITS = {\n", foot: "}\n", members: [["small", '    "small": 1'], ["large", '    "large": 10']], added: ["huge", '    "huge": 100'] },
  { path: "f.py", name: "NAMES", head: "import os\n\nNAMES = [\n", foot: "]\n", members: [["first", '    "first"'], ["second", '    "second"']], added: ["third", '    "third"'] },
  { path: "g.py", name: "urlpatterns", head: "from django.urls import path\n\nurlpatterns = [\n", foot: "]\n", members: [["home", '    path("home/", views.home)'], ["about", '    path("about/", views.about)']], added: ["help", '    path("help/", views.help)'] },
  { path: "h.go", name: "limits", head: "package a\n\nvar limits = map[string]int{\n", foot: "}\n", members: [["small", '\t"small": 1'], ["large", '\t"large": 10']], added: ["huge", '\t"huge":  100'], last: "comma" },
  { path: "i.rs", name: "Kind", head: "pub enum Kind {\n", foot: "}\n", members: [["Small", "    Small"], ["Large", "    Large { size: u32 }"]], added: ["Huge", "    Huge(u64)"] },
  { path: "j.rs", name: "Limit", head: "pub struct Limit {\n", foot: "}\n", members: [["small", "    pub small: u32"], ["large", "    pub large: u32"]], added: ["huge", "    pub huge: u64"] },
  { path: "k.json", name: "limits", head: '{\n  "limits": {\n', foot: "  }\n}\n", members: [["small", '    "small": 1'], ["large", '    "large": { "size": 10 }']], added: ["huge", '    "huge": 100'], last: "none" },
  { path: "l.json", name: "names", head: '{\n  "names": [\n', foot: "  ]\n}\n", members: [["first", '    "first"'], ["second", '    "second"']], added: ["third", '    "third"'], last: "none" },
  { path: "Kind.java", name: "Kind", head: "public enum Kind {\n", foot: "}\n", members: [["SMALL", "    SMALL(1)"], ["LARGE", "    LARGE(10)"]], added: ["HUGE", "    HUGE(100)"] },
  { path: "Size.java", name: "Size", head: "public enum Size {\n", foot: "\n    private final int limit;\n\n    Size(int limit) {\n        this.limit = limit;\n    }\n}\n", members: [["SMALL", "    SMALL(1)"], ["LARGE", "    LARGE(10)"]], added: ["HUGE", "    HUGE(100)"], last: ";", isInner: true },
  { path: "Kind.kt", name: "Kind", head: "enum class Kind {\n", foot: "}\n", members: [["SMALL", "    SMALL"], ["LARGE", "    LARGE"]], added: ["HUGE", "    HUGE"] },
  { path: "Kind.cs", name: "Kind", head: "public enum Kind\n{\n", foot: "}\n", members: [["Small", "    Small"], ["Large", "    Large"]], added: ["Huge", "    Huge"] },
  { path: "k.h", name: "kind", head: "enum kind {\n", foot: "};\n", members: [["KIND_SMALL", "    KIND_SMALL"], ["KIND_LARGE", "    KIND_LARGE"]], added: ["KIND_HUGE", "    KIND_HUGE"] },
  { path: "a.php", name: "limits", head: "<?php\n\nreturn [\n", foot: "];\n", members: [["small", "    'small' => 1"], ["large", "    'large' => 10"]], added: ["huge", "    'huge' => 100"], isInner: true },
  { path: "a.rb", name: "LIMITS", head: "LIMITS = {\n", foot: "}.freeze\n", members: [["small", "  small: 1"], ["large", "  large: 10"]], added: ["huge", "  huge: 100"] },
  { path: "a.lua", name: "limits", head: "local limits = {\n", foot: "}\n\nreturn limits\n", members: [["small", "  small = 1"], ["large", "  large = 10"]], added: ["huge", "  huge = 100"], isLoose: true },
];

const withEnds = (members: readonly string[], end: string): string => members.map((member, at) => `${member}${at < members.length - 1 ? "," : end}\n`).join("");
const ENDS: Readonly<Record<string, readonly string[]>> = { none: [""], comma: [","], ";": [";"], either: ["", ","] };

/** How a sentence tells the place, and where that is among the members. */
const PLACES: readonly (readonly [told: string, at: (count: number, index: number) => number])[] = [
  ["In `PATH`, add this below `MEMBER`:", (_, index) => index + 1],
  ["Add this after `MEMBER` in `NAME` of `PATH`:", (_, index) => index + 1],
  ["In `PATH`, add the following before `MEMBER`:", (_, index) => index],
  ["Add `ADDED` to `NAME` in `PATH`:", (count) => count],
];

const TRIED = LISTS.flatMap((list) => (ENDS[list.last ?? "either"] as readonly string[]).flatMap((end) => PLACES.filter(([told]) => list.isInner === undefined || told.includes("MEMBER")).flatMap(([told, at]) => ["", ","].map((shown) => [list.path, end, told, shown, list, at] as const))));

test.each(TRIED)("%s, '%s': %s '%s'", async (path, end, told, shown, { name, head, foot, members, added, isLoose }, at) => {
  for (const [index, count] of isLoose === true ? [[0, 2], [1, 2]] as const : [[0, 1], [0, 2], [1, 2]] as const) {
    const texts = members.slice(0, count).map(([, text]) => text);
    const sentence = told.replace("PATH", path).replace("MEMBER", members[index]?.[0] ?? "").replace("NAME", name).replace("ADDED", added[0]);
    const wanted = head + withEnds(texts.toSpliced(at(count, index), 0, added[1]), end) + foot;
    const landed = await answered(path, head + withEnds(texts, end) + foot, `${sentence}\n\n\`\`\`\n${added[1]}${shown}\n\`\`\`\n`);
    // Methods may stand apart.
    expect(landed.replaceAll(/,\n\n(?= {4})/g, ",\n")).toBe(wanted);
  }
});
