/** The server for agents beside the reference filesystem server, through the same client, in turns. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { faster, longer, medians, share } from "./measure.mjs";

const PEER = join(import.meta.dirname, "../node_modules/.cache/loaf-peers/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
const LOAF = join(import.meta.dirname, "../dist/loaf.cjs");
const FILES = 100;

export async function mcpRows() {
  if (!existsSync(PEER)) return [{ what: "the reference filesystem server: skipped, node scripts/install.mjs brings it", measured: "", value: "", goal: "", met: true }];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loaf-bench-")));
  const state = join(folder, "state");
  const root = join(folder, "project");
  const commands = { loaf: [LOAF, "mcp", "--root", root], peer: [PEER, root] };
  const servers = {};
  try {
    plant(root);
    for (const name of Object.keys(commands)) servers[name] = await connect(commands[name], state);
    const starts = await medians(mapped(commands, (command) => async () => (await connect(command, state)).close()), 9);
    const reads = await inTurns(10, 100, {
      loaf: (at) => servers.loaf.call("file_read", { path: `src/f${at}.txt` }),
      peer: (at) => servers.peer.call("read_text_file", { path: join(root, `src/f${at}.txt`) }),
    });
    const edits = await inTurns(10, 100, {
      loaf: (at, round) => servers.loaf.call("file_replace_text", { path: `src/f${at}.txt`, old_text: `ours ${round}\n`, new_text: `ours ${round + 1}\n` }),
      peer: (at, round) => servers.peer.call("edit_file", { path: join(root, `src/f${at}.txt`), edits: [{ oldText: `theirs ${round}\n`, newText: `theirs ${round + 1}\n` }] }),
    });
    const searches = await medians(
      {
        loaf: () => servers.loaf.call("glob", { pattern: "**/*7.ts", base_path: "tree" }),
        peer: () => servers.peer.call("search_files", { path: join(root, "tree"), pattern: "**/*7.ts" }),
      },
      9,
    );
    return [
      longer("mcp: start-up until the tools are listed, against the reference server", starts, 1),
      longer("mcp: 1,000 reads, each", reads, 1),
      longer("mcp: 1,000 durable edits, each, against edits that are not", edits, 3),
      faster("mcp: names among 10,000 files, against search_files", searches, 2),
      ...(await landing(servers, root)),
    ];
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function plant(root) {
  for (let at = 0; at < FILES; at++) put(join(root, `src/f${at}.txt`), `${"a line of text\n".repeat(40)}ours 0\ntheirs 0\n`);
  for (let at = 0; at < 10_000; at++) put(join(root, `tree/d${at % 100}/f${at}.ts`), "export {};\n");
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function connect([script, ...args], state) {
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [script, ...args], stderr: "ignore", env: { ...process.env, XDG_STATE_HOME: state, TMPDIR: dirname(state) } }));
  await client.listTools();
  const call = async (name, params) => {
    const result = await client.callTool({ name, arguments: params });
    return { text: result.content?.[0]?.text ?? "", isError: result.isError === true };
  };
  const must = async (name, params) => {
    const { text, isError } = await call(name, params);
    if (isError) throw new Error(`${name}: ${text}`);
    return text;
  };
  return { call: must, attempt: call, close: () => client.close() };
}

/** Returns the median of a call's time. Rounds of many calls take turns, so that both meet the same machine. */
async function inTurns(rounds, calls, subjects) {
  let round = -1;
  const once = mapped(subjects, (subject) => async (current) => {
    for (let at = 0; at < calls; at++) await subject(at, current);
  });
  const names = Object.keys(once);
  const times = mapped(subjects, () => []);
  for (round = 0; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now();
      await once[name](round);
      times[name].push((performance.now() - start) / calls);
    }
  }
  return mapped(times, (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]);
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** Edits of models, changed as models and chats change text, each on a fresh file: rightly applied or refused, to the byte. */
async function landing({ loaf, peer }, root) {
  const shared = process.env.LOAF_SHARED;
  if (shared === undefined) return [];
  const folder = join(shared, "edits");
  const all = readFileSync(join(folder, "cases.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const judged = all.filter(({ kind }) => kind !== "extra-blank-first" && kind !== "dedent-substring");
  const cases = judged.filter((_, at) => at % Math.floor(judged.length / 200) === 0).slice(0, 200);
  const right = { loaf: 0, peer: 0 };
  for (const { base_file, base_transform, search, replace, should_apply, expected_sha256 } of cases) {
    const before = transforms[base_transform](readFileSync(join(folder, base_file), "utf8"), search);
    const path = join(root, "edit.py");
    for (const name of ["loaf", "peer"]) {
      writeFileSync(path, before);
      const { isError } = await (name === "loaf"
        ? loaf.attempt("file_replace_text", { path: "edit.py", old_text: search, new_text: replace })
        : peer.attempt("edit_file", { path, edits: [{ oldText: search, newText: replace }] }));
      const after = createHash("sha256").update(readFileSync(path)).digest("hex");
      const isRight = should_apply ? !isError && after === expected_sha256 : isError && readFileSync(path, "utf8") === before;
      if (isRight) right[name] += 1;
    }
  }
  return [
    share("mcp: edits of models that end as they must, to the byte", right.loaf, cases.length, 0.99),
    share("the same through the reference server", right.peer, cases.length),
  ];
}

const transforms = {
  none: (text) => text,
  "lf-to-crlf": (text) => text.replaceAll("\n", "\r\n"),
  "rstrip-then-append-search": (text, search) => `${text.replace(/\n+$/, "")}\n\n${search}`,
};
