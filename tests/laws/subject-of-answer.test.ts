/** Law of an answer that names no file: its fences are about the only file that has its code, or nothing is read. */
import { expect, test } from "vitest";
import { answeredIn } from "./answered.ts";

const CACHE = `import time


class Cache:
    def __init__(self, limit):
        self.items = {}
        self.limit = limit

    def get(self, key):
        value, expires = self.items[key]
        if expires < time.time():
            return None
        return value

    def set(self, key, value, ttl):
        self.items[key] = (value, time.time() + ttl)
`;
const OTHER = `import time


def wait(seconds):
    time.sleep(seconds)
`;
const FILES = { "lib/cache.py": CACHE, "lib/wait.py": OTHER, "README.md": "# Cache\n" };
const fence = (code: string): string => `\n\n\`\`\`python\n${code}\n\`\`\`\n\n`;
const CHECK = ["        if expires < time.time():", "        if expires is not None and expires < time.time():"] as const;
const SET = "        self.items[key] = (value, time.time() + ttl)";

test("a fragment below an order, after the old lines, is about the file of both", async () => {
  const answer = `The problem is this check in \`get\`:${fence(`${CHECK[0]}\n            return None`)}\`expires\` may be \`None\`, so check it first:${fence(`${CHECK[1]}\n            return None`)}Now such items stay.\n`;
  expect(await answeredIn(FILES, answer)).toEqual({ ...FILES, "lib/cache.py": CACHE.replace(...CHECK) });
});

test("the parts of a list are about one file", async () => {
  const now = "        self.items[key] = (value, time.time() + ttl if ttl else None)";
  const answer = `Two changes make items without an end possible.\n\n1. In \`get\`, check it:${fence(`${CHECK[1]}\n            return None`)}2. In \`set\`, store it:${fence(now)}`;
  expect(await answeredIn(FILES, answer)).toEqual({ ...FILES, "lib/cache.py": CACHE.replace(...CHECK).replace(SET, now) });
});

test.each([
  ["two files have the code", { ...FILES, "lib/old_cache.py": CACHE }, `In \`get\`, check it:${fence(`${CHECK[1]}\n            return None`)}`],
  ["the old lines are shown", FILES, `The problem is this check in \`get\`:${fence(`${CHECK[1]}\n            return None`)}`],
  ["it is only used", FILES, `You can use it like this:${fence("cache = Cache(10)\nvalue, expires = cache.items[key]\nif expires < time.time():\n    print(value)")}`],
  ["no file has the code", FILES, `In \`load\`, check it:${fence("        if not path:\n            raise ValueError(path)\n        data = read(path)")}`],
  ["a new file is told", FILES, `Put the check into a new module:${fence("import time\n\n\ndef is_over(expires):\n    return expires < time.time()")}`],
] as const)("nothing lands where %s", async (_, files, answer) => {
  expect(await answeredIn(files, answer)).toEqual(files);
});

test("a file that the answer names is the one that it is about", async () => {
  const answer = `In \`lib/wait.py\`, check it:${fence(`${CHECK[1]}\n            return None`)}`;
  expect(await answeredIn(FILES, answer)).toEqual(FILES);
});
