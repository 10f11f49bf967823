import { cpSync, existsSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InputError } from "../../state/input.ts";

/** Copies Loaf's examples to a new temporary folder: a project and a model's answer. Returns the folder. */
export function createDemoProject(): string {
  const examples = join(dirname(realpathSync(process.argv[1] ?? "")), "..", "examples");
  if (!existsSync(examples)) throw new InputError(`'${examples}'`, "does not exist: this installation has no examples");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loaf-demo-")));
  cpSync(join(examples, "project"), folder, { recursive: true });
  cpSync(join(examples, "answer.md"), join(folder, "answer.md"));
  return folder;
}
