/** A clipboard that is a file: an xclip that stands first on PATH. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder } from "./folder.ts";

interface FakeClipboard {
  readonly env: Readonly<Record<string, string>>;
  /** As another program copies. */
  readonly copy: (text: string) => void;
  /** What is on it, or undefined if nothing was ever copied. */
  readonly text: () => string | undefined;
}

/** @param text what is on it at the start; absent: it is empty, as xclip reports that */
export function fakeClipboard(text?: string): FakeClipboard {
  const folder = createFolder({
    xclip: `#!/bin/sh
file="\${0%/*}/copied"
case "$*" in
*-out*) [ -f "$file" ] || { echo "Error: target UTF8_STRING not available" >&2; exit 1; }; exec /bin/cat "$file" ;;
*) /bin/cat > "$file.new"; exec /bin/mv "$file.new" "$file" ;;
esac
`,
  });
  chmodSync(join(folder, "xclip"), 0o755);
  const file = join(folder, "copied");
  const copy = (copied: string): void => writeFileSync(file, copied);
  if (text !== undefined) copy(text);
  const path = process.env["PATH"] ?? "";
  return { env: { PATH: `${folder}:${path}`, DISPLAY: ":0", WAYLAND_DISPLAY: "" }, copy, text: () => (existsSync(file) ? readFileSync(file, "utf8") : undefined) };
}
