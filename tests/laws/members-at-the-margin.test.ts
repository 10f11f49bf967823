/** The law of a member that is shown at the margin: it goes where its singular is named, or nowhere, and never to the top level. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const FILE = "services:\n  web:\n    image: web\n@\nvolumes:\n  data:\n";
const SHOWN = "redis:\n  image: redis:7\n  ports:\n    - \"6379:6379\"\n";
const DEEP = SHOWN.replaceAll(/^(?=.)/gm, "  ");

test.each(["Add a Redis service to `docker-compose.yml`:", "`docker-compose.yml` needs one more service:", "Add this service to `docker-compose.yml`:"])("%s", async (sentence) => {
  for (const shown of [SHOWN, DEEP])
    expect((await answered("docker-compose.yml", FILE.replace("@", ""), `${sentence}\n\n\`\`\`yaml\n${shown}\`\`\`\n`)).replaceAll(/\n+/g, "\n")).toBe(FILE.replace("@\n", DEEP));
});

test("a key that is no member of its kind stays at the top level", async () => {
  const answer = "Add the service version to `docker-compose.yml`:\n\n```yaml\nversion: 3\n```\n";
  const file = FILE.replace("@", "");
  expect(["", "\nversion: 3\n", "version: 3\n"].map((end) => file + end)).toContain(await answered("docker-compose.yml", file, answer));
});
