/** Undamaged texts, which must have no findings but what was not read. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { instructions } from "../../../../src/teach/instructions.ts";
import { readAnswer } from "../../../../src/answer/read-answer.ts";
import { printBlock } from "../../../../src/syntaxes/nesl/teach.ts";

const block = printBlock("k7m", { action: "file_read", path: "/p/a.ts" });

const innocent = {
  "nothing": "",
  "a sentence": "There is nothing to change: the port is read in `src/app.ts` already.",
  "an answer": `I read the file first.\n\n\`\`\`nesl\n${block}\n\`\`\`\n\nThen I will change it.\n`,
  "an answer without fences": `${block}\n${block}\n`,
  "an answer with CRLF": `One:\r\n\r\n\`\`\`\r\n${block.replaceAll("\n", "\r\n")}\r\n\`\`\`\r\n`,
  "code to explain": `The port is fixed in \`src/app.ts\`.\n\n\`\`\`ts\nconst port = 3000;\n\`\`\`\n\n${block}\n`,
  "code in Node.js": "**Node.js**\n\n```js\nconst fs = require('fs');\n```\n\n### Python\n\n```python\nimport os\n```\n",
  "a command": "Run this in package.json's folder:\n\n```sh\nnpm test\n```\n",
  "rules and lists": "---\ntitle: x\n---\n\n*** \n\n- one\n+ two\n* three\n\n+++\n\n1. #1 is fixed\n",
  "tables and quotes": "| a | b |\n|---|---|\n| “x” | ‘y’ |\n\n> He said: = “no”\n",
  "a merge conflict": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n",
  "shebangs": "```sh\n#!/bin/sh\necho hi\n```\n\n#!nesl\n#!end_k7m\n",
  "arithmetic in words": "a = “b” + c\n<<‘x’ is no heredoc\n",
  "nested fences": "````markdown\n# How to\n\n```sh\nls\n```\n````\n",
  "talk of the syntax": "A block opens with `#!nesl [@three-char-SHA-256: k7m]` and closes with `#!end_k7m`.\n",
  "JSON and markup": '```json\n{\n  "name": "edit",\n  "version": "1.0.0",\n  "type": "function"\n}\n```\n\n```html\n<form action="edit"><input type="file">\n<search></search>\n```\n',
  "tags, JSON and commands that a block stands beside": `${block}\n\n\`\`\`sh\ncat > .env <<EOF\nPORT=1\nEOF\n\`\`\`\n\n\`\`\`xml\n<file path="a">\n</file>\n\`\`\`\n\n\`\`\`json\n{"type": "tool_use"}\n\`\`\`\n`,
  "calls in a sentence": "A model writes <function_calls> or `<edit_file>`, and {\"old_string\": …} in JSON.\n",
  "an ellipsis": "...\n\n... and so on ...\n\nThe rest of the file is unchanged.\n",
} as const;

const damageIn = (text: string) => readAnswer(text).findings.filter(({ code }) => code !== "answer/not-read");

test.each(Object.entries(innocent))("%s", (_, text) => {
  expect(damageIn(text)).toEqual([]);
});

test("the instructions for models, whose examples are blocks", () => {
  expect(readAnswer(instructions({ root: "/project", relativePaths: false, allowedActions: undefined })).findings).toEqual([]);
});

test.each(["examples/answer.md", "docs/decisions.md", "docs/architecture.md", "CONTRIBUTING.md", "CHANGELOG.md"])("%s", (path) => {
  expect(damageIn(readFileSync(path, "utf8"))).toEqual([]);
});
