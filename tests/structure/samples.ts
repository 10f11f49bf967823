/** Real source files of every language, out of packages. `scripts/install.mjs` fetches those that are not npm's. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** So many files of each language, none of over so many bytes. */
const FILES = 10;
const LARGEST = 200_000;

export interface Sample {
  readonly language: string;
  readonly files: readonly string[];
}

const npm = (path: string): string => resolve("node_modules", path);
const debian = (name: string): string => resolve("node_modules/.cache/loaf-samples", name);

/** Where to look, and the endings that count there. */
const SOURCES: Readonly<Record<string, { readonly folders: readonly string[]; readonly ending: RegExp }>> = {
  TypeScript: { folders: [npm("zod/src")], ending: /(?<!\.d)\.ts$/ },
  JavaScript: { folders: [npm("yaml/dist"), npm("commander/lib")], ending: /\.js$/ },
  Python: { folders: [pythonLibrary()], ending: /^.*\/(?:argparse|ast|dataclasses|inspect|mailbox|pathlib|subprocess|tarfile|typing|zipfile)\.py$/ },
  Go: { folders: [debian("golang-github-spf13-cobra-dev")], ending: /\.go$/ },
  Rust: { folders: [debian("librust-anyhow-dev"), debian("librust-itertools-dev")], ending: /\.rs$/ },
  Java: { folders: [npm("cordova-plugin-file/src/android")], ending: /\.java$/ },
  C: { folders: [debian("xtables-addons-dkms"), debian("libcurl4-doc")], ending: /\.c$/ },
  "C++": { folders: [debian("nlohmann-json3-dev"), debian("rapidjson-dev")], ending: /\.(?:h|hpp)$/ },
  "C#": { folders: [debian("gtk-sharp3-examples")], ending: /\.cs$/ },
  Ruby: { folders: [debian("ruby-rack")], ending: /\.rb$/ },
  PHP: { folders: [debian("php-twig")], ending: /\.php$/ },
  CSS: { folders: [npm(".")], ending: /\.css$/ },
  JSON: { folders: [npm("zod"), npm("vitest"), npm("yaml"), resolve("docs")], ending: /\.json$/ },
  YAML: { folders: [npm(".")], ending: /\.ya?ml$/ },
  Markdown: { folders: [npm("vitest"), npm("zod"), npm("yaml"), npm("commander"), npm("fast-check"), npm("marked"), npm("diff"), npm("knip"), resolve("docs")], ending: /\.md$/ },
};

/** The largest files of each language. Empty where the package with them is not there. */
export const samples: readonly Sample[] = Object.entries(SOURCES).map(([language, { folders, ending }]) => {
  const files = folders.flatMap(filesBelow).filter((file) => ending.test(file));
  const bySize = files.map((file) => ({ file, size: statSync(file).size })).sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1));
  return { language, files: bySize.filter(({ size }) => size <= LARGEST).slice(0, FILES).map(({ file }) => file) };
});

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === ".cache" ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function pythonLibrary(): string {
  try {
    return execFileSync("python3", ["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"], { encoding: "utf8" }).trim();
  } catch {
    return "/nowhere";
  }
}
