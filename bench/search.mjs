/** Searching a tree of 100,000 files, a quarter of them ignored, against ripgrep and git on the same tree. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { findRipgrep } from "../dist/modules/search/ripgrep.js";
import { createSearch } from "../dist/modules/search/search.js";
import { Disk } from "../dist/modules/disk/disk.js";
import { createGuard } from "../dist/modules/guard/guard.js";
import { createTree } from "../dist/modules/files/reader.js";
import { longer, medians, megabytes } from "./measure.mjs";

const line = "export const answer = compute(input, options); // a line of a source file\n";
const ROUNDS = 9;

export async function searchRows() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loaf-bench-")));
  try {
    plant(root);
    const program = findRipgrep();
    if (program === undefined) throw new Error("ripgrep is not installed: npm install brings it as an optional package");
    const ripgrep = (pattern) => execFileSync(program, ["--fixed-strings", "--line-number", pattern, "."], { cwd: root, maxBuffer: 2 ** 30 });
    const listed = () => execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, maxBuffer: 2 ** 30 });
    const [withIt, without] = [searchIn(root, program), searchIn(root, undefined)];
    const grep = (search, pattern) => search.grep({ pattern, path: root });
    const rare = await medians({ withIt: () => grep(withIt, "the needle"), peer: () => ripgrep("the needle"), without: () => grep(without, "the needle") }, ROUNDS);
    const common = await medians({ withIt: () => grep(withIt, "input, options"), peer: () => ripgrep("input, options"), without: () => grep(without, "input, options") }, 5);
    const glob = await medians({ some: () => without.glob({ pattern: "**/*.ts", base: root }), peer: listed, all: () => without.glob({ pattern: "**", base: root }) }, ROUNDS);
    return [
      longer("grep, a literal in 1 file of 1,000, against ripgrep itself", { loaf: rare.withIt, peer: rare.peer }, 1.3),
      longer("the same without ripgrep", { loaf: rare.without, peer: rare.peer }, 2.5),
      longer("grep, a literal in every file, against ripgrep itself", { loaf: common.withIt, peer: common.peer }, 1.3),
      longer("the same without ripgrep", { loaf: common.without, peer: common.peer }, 2.5),
      longer("glob **/*.ts, against git ls-files -co --exclude-standard", { loaf: glob.some, peer: glob.peer }, 2.5),
      longer("glob **, against the same", { loaf: glob.all, peer: glob.peer }, 2.5),
      await largeFile(root),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** 90,000 files of 0.5 to 5 KB, one in five of them ignored by name, and 10,000 in an ignored directory. */
function plant(root) {
  execFileSync("git", ["init", "-q", root]);
  writeFileSync(join(root, ".gitignore"), "*.log\n/build/\nnode_modules\n");
  const endings = ["ts", "js", "md", "log", "json"];
  for (let directory = 0; directory < 2_000; directory++) {
    const isBuilt = directory >= 1_800;
    const path = isBuilt ? join(root, "build", `d${directory}`) : join(root, `pkg${directory % 30}`, `mod${directory % 10}`, `d${directory}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 50; file++) {
      const number = directory * 50 + file;
      const content = line.repeat(7 + ((number * 7919) % 60)) + (isBuilt || number % 1_000 === 0 ? "here is the needle\n" : "");
      writeFileSync(join(path, `f${file}.${endings[file % 5]}`), content);
    }
  }
}

function searchIn(root, program) {
  const volume = new Disk();
  const rules = [{ read: {}, write: {} }];
  const guard = createGuard({ volume, root, home: homedir(), rules, sealed: [join(homedir(), ".local/state/loaf")], readOnly: [], platform: process.platform });
  return createSearch({ tree: createTree({ volume, guard, touched: () => [] }), root, ripgrep: () => program, inTime: async (act) => act(), timeout: 60_000, checkGranted: () => {} });
}

/** One file of 512 MB without a line ending in it. */
async function largeFile(root) {
  const folder = join(root, "large");
  mkdirSync(folder);
  const piece = Buffer.alloc(2 ** 25, "no line ends here, ");
  for (let count = 0; count < 16; count++) writeFileSync(join(folder, "large.txt"), piece, { flag: "a" });
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = () => (highest = Math.max(highest, process.memoryUsage().rss));
  const { matches } = await searchIn(root, undefined).grep({ pattern: "line ends", path: folder });
  watch();
  if (matches.length !== 1) throw new Error("grep found nothing in the large file");
  return megabytes("grep in a file of 512 MB with one line, memory it takes", highest - before, 32);
}
