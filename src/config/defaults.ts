import { LANGUAGES } from "../core/command.ts";
import { CERTAIN_FORMATS } from "../syntaxes/index.ts";

/** Default settings. Separate from the schema, so that a run without a loaf.yml need not load that. */
export const defaults = {
  version: 1,
  relative_paths: false,
  edits: { match: "exact", final_newline: "as-is" },
  exec: {
    sandbox: "required",
    view: "auto",
    copy_limit: 524_288_000,
    network: false,
    timeout: 30_000,
    env: ["PATH"],
    languages: LANGUAGES,
  },
  transaction: "keep",
  git: { commit: true, push: false, hooks: false, message: "AI: {operation_summary}" },
  history: { max_age: 30, max_size: 2 ** 30 },
  limits: {
    max_file_size: 10_485_760,
    max_input: 67_108_864,
    max_blocks: 10_000,
    action_time: 5_000,
    action_memory: 1_073_741_824,
  },
  syntaxes: CERTAIN_FORMATS,
  csl: { start: "<---", end: "--->" },
  report: { max_tokens: 20_000, on_miss: "excerpt" },
  mcp: { commit: "session" },
  watch: { input: "loaf-input.md", output: ".loaf/output.md", debounce: 100, clipboard: { read: "off", write: false } },
} as const;

/** What `loaf init` sets beyond the defaults. The commands work with it where there is no loaf.yml. */
export const initSettings = { relative_paths: true, edits: { match: "tolerant", final_newline: "ensure" } } as const;
