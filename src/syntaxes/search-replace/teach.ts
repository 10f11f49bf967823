/** Instructions for a model to write SEARCH/REPLACE blocks. */
import type { Lesson } from "../syntax.ts";

export function teach({ root }: Lesson): string {
  return `# Changing files: SEARCH/REPLACE blocks

You can change files of the project in ${root} yourself: write blocks like these in your answer. A tool runs them in order, and its report is pasted back to you.

src/app.js
~~~
<<<<<<< SEARCH
const port = 3000;
=======
const port = 8080;
>>>>>>> REPLACE
~~~

Rules
- Above each block is the file's path, alone on its line, from the project's root. Each marker is alone on its line, exactly as above.
- The SEARCH part is whole lines of the file, copied exactly with their indentation. They must occur exactly once in the file: quote as many lines as that takes, and no more.
- One block changes one place. A block with an empty SEARCH part makes a new file. An empty REPLACE part deletes lines.
- Write new lines in full; placeholders such as "rest unchanged" are refused. Never guess contents: if you have not seen the file, ask for it.
- A failed block does not stop the others. In a report ✅ and ⚠️ are done: never send them again. \`⁞ \` before a line is not part of the file.
`;
}
