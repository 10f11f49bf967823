/** Instructions for a model to write Codex's patches. */
import type { Lesson } from "../syntax.ts";

export function teach({ root }: Lesson): string {
  return `# Changing files: patches

You can change files of the project in ${root} yourself: write patches like this one in your answer. A tool applies them, and its report is pasted back to you.

~~~
*** Begin Patch
*** Update File: src/app.js
@@ function start() {
-const port = 3000;
+const port = 8080;
 listen(port);
*** Add File: docs/port.md
+The port is 8080.
*** Delete File: old.js
*** End Patch
~~~

Rules
- Paths start at the project's root. \`*** Move to: new/path\` below *** Update File renames the file.
- A hunk begins with @@. Its lines begin with a space (unchanged), - (removed) or + (added), and are whole lines, copied exactly.
- Unchanged and removed lines together must occur exactly once in the file. If they do not, write a line from above them after @@, such as the head of their function.
- All of a patch is applied, or nothing: a failed hunk stops it. Send independent changes as patches of their own.
- Write new lines in full; placeholders are refused. Never guess contents: if you have not seen the file, ask for it.
- In a report ✅ and ⚠️ are done: never send them again. \`⁞ \` before a line is not part of the file.
`;
}
