/** The law of what is added to a list: its members keep the commas that divide them. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const COLUMNS = ["id SERIAL PRIMARY KEY", "email TEXT", "age INT -- in years"];
/** A table, whose commas stand before comments. */
function table(columns: readonly string[]): string {
  const lines = columns.map((column, at) => `  ${at < columns.length - 1 ? column.replace(/(?= --|$)/, ",") : column}\n`);
  return `CREATE TABLE users (\n${lines.join("")});\n`;
}

const PLACES = COLUMNS.flatMap((_, at) => ["after", "before"].flatMap((word) => [1, 2, 3].flatMap((count) => (at < count ? [[word, at, count] as const] : []))));

test.each(PLACES)("a column %s column %i of %i", async (word, at, count) => {
  const columns = COLUMNS.slice(0, count);
  const [name = ""] = (columns[at] ?? "").split(" ");
  for (const end of ["", ","]) {
    const answer = `In \`a.sql\`, ${word} the \`${name}\` column, add:\n\n\`\`\`sql\n  phone TEXT${end}\n\`\`\`\n`;
    expect(await answered("a.sql", table(columns), answer)).toBe(table(columns.toSpliced(word === "after" ? at + 1 : at, 0, "phone TEXT")));
  }
});
