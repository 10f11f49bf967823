import * as z from "zod/mini";
import { counted } from "../core/counted.ts";
import type { GrepMatch } from "../search/search.ts";
import { defineAction } from "./define.ts";
import { boolean, path, text } from "./params.ts";

/** What `search/regex.ts` accepts. */
const REGEX_SYNTAX = [
  'With `regex = "true"`, pattern is a regular expression, matched against each line in linear time.',
  "Accepted: `.`, `^`, `$`, `|`; groups `(…)`, `(?:…)`, `(?<name>…)`, `(?P<name>…)`; quantifiers `*`, `+`, `?`, `{3}`, `{3,}`, `{3,5}` (at most 1,000), and lazy ones such as `*?`;",
  "classes `[a-z]`, `[^a-z]`, `[[:alpha:]]`; `\\d`, `\\w`, `\\s`, `\\b` and their capitals, for ASCII only; `\\p{L}`, `\\t`, `\\x41`, `\\u0041`, `\\u{1F600}`; a backslash before punctuation;",
  "`(?i)`, `(?i:…)` to ignore case.",
  "Refused, with a hint on what to write instead: lookaround `(?=…)`, `(?<!…)`, backreferences `\\1`, possessive quantifiers `*+`, atomic groups `(?>…)`, and `\\n`.",
].join("\n");

export const grep = defineAction({
  name: "grep",
  summary: "Find the lines that contain a text; skips binary and ignored files.",
  details: REGEX_SYNTAX,
  params: z.object({
    pattern: text("Text to find"),
    path: path("Directory or file to search"),
    include: z.optional(text("`*.ts`, `src/**/*.{js,ts}`")),
    regex: z.optional(boolean("`true`: RE2 syntax")),
  }),
  needs: { path: ["read"] },
  subject: ({ pattern, path }) => `${JSON.stringify(pattern)} ${path}`,
  show: (matches: readonly GrepMatch[]) => [
    { entries: matches.map(({ file, line_number, line }) => `${file}:${line_number}: ${line}`) },
  ],
  example: { pattern: "oldName", path: "/project", include: "*.js" },
  run: async (params, { search }) => {
    const { matches, omitted, unsearched } = await search.grep(params);
    const [first, ...more] = unsearched;
    const isMistaken = matches.length === 0 && params.regex === undefined && LOOKS_LIKE_REGEX.test(params.pattern);
    const warnings = [
      ...(first !== undefined
        ? [
            `${first}${more.length > 0 ? ` and ${counted(more.length, "more file")}` : ""}: a line over 4 MB was not searched to its end`,
          ]
        : []),
      ...(omitted > 0 ? [`${omitted} more matches are left out: narrow the pattern, the path or include`] : []),
      ...(isMistaken
        ? ['pattern was taken literally, and no line contains it: if it is a regular expression, add regex = "true"']
        : []),
    ];
    return { data: matches, ...(warnings.length > 0 && { warnings }) };
  },
});

const LOOKS_LIKE_REGEX = /\.[*+]|\\[bdsw.()[{]|\w\|\w/;
