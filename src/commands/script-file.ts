import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes code to a temporary file while `act` runs. Throws system errors. */
export async function withScript<Value>(code: string, ending: string, act: (file: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "loaf-script-"));
  try {
    const file = join(folder, `code${ending}`);
    writeFileSync(file, code, { mode: 0o600 });
    return await act(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
