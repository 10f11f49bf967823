/** Law of places told in words: an element by its tag, a line by the words of a name. Found once, or nothing lands. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const HTML = "<html>\n<head>\n  <title>x</title>\n</head>\n<body>\n  <nav>\n    <a href=\"/\">Home</a>\n  </nav>\n  <form id=\"f\">\n    <input>\n  </form>\n  <ul></ul>\n  <p>one</p>\n  <p>two</p>\n</body>\n</html>\n";
const added = (sentence: string): Promise<string> => answered("index.html", HTML, `${sentence}\n\n\`\`\`html\n<span>new</span>\n\`\`\`\n`);
const below = (line: string, indent = "  "): string => HTML.replace(line, `${line}${indent}<span>new</span>\n`);

describe("in a page", () => {
  test.each([
    ["In the `<head>` of `index.html` add:", "  <title>x</title>\n", "  "],
    ["Add this to the `<head>` of `index.html`:", "  <title>x</title>\n", "  "],
    ["In `index.html`, inside `<head>`, add:", "  <title>x</title>\n", "  "],
    ["In `index.html`, add a tag to the head:", "  <title>x</title>\n", "  "],
    ["Add a line right after the nav in `index.html`:", "  </nav>\n", "  "],
    ["**HTML** (`index.html`), right after the form:", "  </form>\n", "  "],
    ["In `index.html`, right after the form, add:", "  </form>\n", "  "],
    ["At the end of the body of `index.html`, add:", "  <p>two</p>\n", "  "],
    ["Add this before the closing `</body>` tag in `index.html`:", "  <p>two</p>\n", "  "],
    ["At the top of the body in `index.html`, add:", "<body>\n", "  "],
    ["In `index.html`, below the opening `<body>` tag, add:", "<body>\n", "  "],
    ["Add this after the `<body>` tag in `index.html`:", "<body>\n", "  "],
    ["Add a link to the nav in `index.html`:", "    <a href=\"/\">Home</a>\n", "    "],
    ["Add this before the closing body tag in `index.html`:", "  <p>two</p>\n", "  "],
    ["Add this after the opening head tag in `index.html`:", "<head>\n", "  "],
    ["Add this before the closing nav tag in `index.html`:", "    <a href=\"/\">Home</a>\n", "    "],
    ["Inside the `<nav>` element of `index.html`, add:", "    <a href=\"/\">Home</a>\n", "    "],
  ])("%s", async (sentence, line, indent) => {
    expect(await added(sentence)).toBe(below(line, indent));
  });

  test.each(["Add this after the paragraph in `index.html`:", "Add this after the `<p>` in `index.html`:", "Add this below the list in `index.html`:", "In `index.html`, after the footer, add:", "In `index.html`, in the nav, change the link:", "Put this as the last child of the body in `index.html`:", "In `index.html`, in the nav, before the link, add:", "Not in the head, but in the body of `index.html` add:", "Show it outside of the nav in `index.html`:", "Add this to `index.html`, since it is in the nav:", "In front of the nav in `index.html`, add:", "Add this to the p in `index.html`:"])(
    "%s names no place, or more than one", async (sentence) => {
      expect(await added(sentence)).toBe(HTML);
    },
  );
});

describe("an element", () => {
  const said = (sentence: string, code: string): Promise<string> => answered("index.html", HTML, `${sentence}\n\n\`\`\`\n${code}\n\`\`\`\n`);
  test.each([["Add a class to the form in `index.html`:", "<form id=\"f\" class=\"x\">", "<form id=\"f\">"], ["Add text to the title in `index.html`:", "<title>x - y</title>", "<title>x</title>"]])("%s is changed and not put into itself", async (sentence, code, old) => {
    expect(await said(sentence, code)).toBe(HTML.replace(old, code));
  });
  test.each([["Add a label to the nav in `index.html`:", "<nav aria-label=\"x\">\n  <a href=\"/\">Home</a>\n</nav>"], ["Add a handler to the form in `index.html`:", "form.onreset = stop;"], ["Add this state to the form in `index.html`:", "const [name, setName] = useState('');"], ["Add a style to the head of `index.html`:", "form { color: red; }"]])("%s holds no other code, nor itself", async (sentence, code) => {
    expect([HTML, HTML.replace("<nav>", "<nav aria-label=\"x\">")]).toContain(await said(sentence, code));
  });
});

describe("a line", () => {
  const file = "import { errorHandler } from \"./e\";\n\nconst app = express();\n\n// error handler last\napp.use(jsonParser);\napp.use(errorHandler);\n\napp.listen(port);\n";
  const route = "app.get(\"/health\", health);\n";
  const code = `\n\n\`\`\`ts\n${route}\`\`\`\n`;
  test.each([
    ["In `s.ts`, add a health check before the error handler:", "above", "app.use(errorHandler);\n"],
    ["In `s.ts`, after the json parser, add:", "below", "app.use(jsonParser);\n"],
    ["Register it above the error handler in `s.ts`:", "above", "app.use(errorHandler);\n"],
    ["In `s.ts`, right below the JSON parser, add a route:", "below", "app.use(jsonParser);\n"],
  ])("%s", async (sentence, side, line) => {
    expect(await answered("s.ts", file, sentence + code)).toBe(file.replace(line, side === "above" ? route + line : line + route));
  });

  test.each(["Add this after the error handling in `s.ts`:", "In `s.ts`, replace the call before the error handler:", "Add this before the rate limiter in `s.ts`:", "Add this to `s.ts`, not after the error handler:", "After the json parser and before the error handler in `s.ts`, add:", "Move the route before the error handler in `s.ts`:"])("%s finds none", async (sentence) => {
    expect(await answered("s.ts", file, sentence + code)).toBe(file);
    const twice = `${file}app.use(errorHandler);\n`;
    expect(await answered("s.ts", twice, `Add this before the error handler in \`s.ts\`:${code}`)).toBe(twice);
  });
});

test.each(["Add an early return before the form in `Form.tsx`:", "Add logging after the form in `Form.tsx`:"])("%s does not leave the function", async (sentence) => {
  const file = "export function Form() {\n  const a = use();\n\n  return (\n    <form>\n      <input />\n    </form>\n  );\n}\n";
  expect(await answered("Form.tsx", file, `${sentence}\n\n\`\`\`tsx\n  if (!a) return null;\n\`\`\`\n`)).toBe(file);
});

test.each([["Add a link to the nav in `index.html`:", "<li><a href=\"/b\">B</a></li>"], ["Add a row to the table in `index.html`:", "<tr><td>B</td></tr>"], ["Add an option to the form in `index.html`:", "<option>B</option>"], ["Add this to the HTML in `index.html`:", "<span>b</span>"]])("%s belongs deeper", async (sentence, code) => {
  const file = "<html>\n<body>\n  <nav>\n    <ul>\n      <li>A</li>\n    </ul>\n  </nav>\n  <table>\n    <tbody>\n      <tr><td>A</td></tr>\n    </tbody>\n  </table>\n  <form>\n    <select>\n      <option>A</option>\n    </select>\n  </form>\n</body>\n</html>\n";
  expect(await answered("index.html", file, `${sentence}\n\n\`\`\`html\n${code}\n\`\`\`\n`)).toBe(file);
});
