/** The law of what a function holds: a new function that uses its names stands in it, and one that does not stands beside it. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file with the place of the new function, and that function. */
const INSIDE: readonly (readonly [path: string, text: string, code: string])[] = [
  ["App.jsx", "import { save } from './api';\n\nexport default function App() {\n  const [todos, setTodos] = useState([]);\n\n  const add = async (text) => {\n    setTodos([...todos, await save(text)]);\n  };\n\n<>  return <List todos={todos} onAdd={add} />;\n}\n", "const clear = async () => {\n  await save('');\n  setTodos([]);\n};"],
  ["App.tsx", "export const App = ({ items }: Props): JSX.Element => {\n  const [open, setOpen] = useState<boolean>(false);\n\n<>  return (\n    <List items={items} open={open} />\n  );\n};\n", "const toggle = (): void => {\n  setOpen(!open);\n};"],
  ["card.jsx", "const Card = ({ onSave }) => {\n  const ref = useRef();\n\n<>  return <form ref={ref} />;\n};\n\nexport default Card;\n", "function submit(event) {\n  event.preventDefault();\n  onSave(new FormData(ref.current));\n}"],
  ["queue.js", "export function createQueue() {\n  const items = [];\n\n  function push(item) {\n    items.push(item);\n  }\n\n<>  return { push };\n}\n", "function pop() {\n  return items.shift();\n}"],
  ["app.py", 'from flask import Flask\n\n\ndef create_app():\n    app = Flask(__name__)\n\n    @app.route("/")\n    def index():\n        return "hi"\n\n<>    return app\n', '@app.route("/health")\ndef health():\n    return "ok"'],
  ["count.py", "def counter(start):\n    value = start\n\n    def more():\n        nonlocal value\n        value += 1\n\n<>    return more\n", "def less():\n    nonlocal value\n    value = value - start"],
];
const WAYS = ["Add this to `PATH`:", "In `PATH`, add a function:", "Now add this function in `PATH`:", "Add to `PATH`:", "`PATH` needs one more function:"];
const fence = (code: string): string => `\n\n\`\`\`\n${code}\n\`\`\`\n`;
const indented = (code: string): string => code.replaceAll(/^(?=.)/gm, "  ");

test.each(INSIDE)("%s", async (path, text, code) => {
  const unit = path.endsWith(".py") ? "    " : "  ";
  const after = text.replace("<>", `${code.replaceAll(/^(?=.)/gm, unit)}\n\n`);
  for (const way of WAYS)
    for (const shown of path.endsWith(".py") ? [code] : [code, indented(code)])
      expect(await answered(path, text.replace("<>", ""), way.replace("PATH", path) + fence(shown)), way).toBe(after);
});

/** What uses a name of another kind: its own, a parameter, that of the file, a property, a word of a text. */
const BESIDE: readonly (readonly [path: string, text: string, code: string])[] = [
  ["a.js", "function total(items) {\n  const sum = items.length;\n  return sum;\n}\n", "function count(items) {\n  return items.length;\n}"],
  ["b.js", "function total() {\n  const sum = 1;\n  return sum;\n}\n", "function twice(value) {\n  const sum = value;\n  return sum + sum;\n}"],
  ["c.js", "const items = [];\n\nfunction total() {\n  const all = items;\n  return all;\n}\n", "function count() {\n  return items.all;\n}"],
  ["d.jsx", "function App() {\n  const [todos] = useState([]);\n  return <List todos={todos} />;\n}\n", "function Empty() {\n  return <p>No todos yet</p>;\n}"],
  ["e.jsx", "function App() {\n  const [open] = useState(false);\n  return <p>{open}</p>;\n}\n", "const Menu = ({ open }) => {\n  return <nav hidden={!open} />;\n};"],
  ["f.js", "function load() {\n  const key = 'a';\n  return key;\n}\n", "function save(store) {\n  store.key = { key: 1 };\n}"],
  ["g.py", "def total(items):\n    sum = 0\n    return sum\n", "def mean(items):\n    return sum(items) / len(items)"],
  ["h.py", "def load(path):\n    text = path\n    return text\n", 'def save(path):\n    """Save the text."""\n    return path'],
  ["j.tsx", "export function Card({ user, onClose }: Props) {\n  const label = user.name;\n  return <b onClick={onClose}>{label}</b>;\n}\n", "function Menu({ user, onClose = () => {} }: MenuProps) {\n  return <label onClick={onClose}>{user.id}</label>;\n}"],
  ["k.ts", "function page(query: Query) {\n  const size = query.size;\n  const count = 2;\n  return all(size, count);\n}\n", "function first(query: Query) {\n  const { size = 20, count = 1 } = query;\n  return all(size, count);\n}"],
  ["l.js", "function clean(text) {\n  const user = text.user;\n  const page = user.page;\n  return page;\n}\n", 'function strip(value) {\n  return value.replace(/user|page/g, "");\n}'],
  ["m.js", "function show() {\n  const users = [];\n  const page = 1;\n  return users[page];\n}\n", "function note(count) {\n  return `${count} users on this page`;\n}"],
  ["n.ts", "function fetchAll(list: Task[]) {\n  const page = 1;\n  const size = 2;\n  return list.slice(page, size);\n}\n", "interface Options {\n  page?: number;\n  size?: number;\n}"],
  ["o.py", "def fetch(path):\n    data = read(path)\n    name = data.name\n    return name\n", 'def scale(data=load("x"), name=(1, 2)):\n    return data.size, name'],
  ["i.ts", "function load(path: string): number {\n  return path.length;\n}\n", "function save(to: string): string {\n  return to;\n}"],
];

test.each(BESIDE)("%s, beside", async (path, text, code) => {
  for (const way of WAYS) expect(await answered(path, text, way.replace("PATH", path) + fence(code)), way).toBe(`${text}${path.endsWith(".py") ? "\n\n" : "\n"}${code}\n`);
});

test("a name of two functions, a value, and a function without an end to stand above leave the file as it is", async () => {
  const App = "function App() {\n  const [todos] = useState([]);\n  return <List todos={todos} />;\n}\n";
  const Other = App.replace("App", "Other");
  const refused: readonly (readonly [text: string, code: string])[] = [
    [`${App}\n${Other}`, "function count() {\n  return todos.length;\n}"],
    [App, "const count = todos.length;"],
    [App.replace(/ {2}return.*\n/, "  render(todos);\n"), "function count() {\n  return todos.length;\n}"],
    [App.replace("  return", "  if (!todos.length) return null;\n  return"), "const clear = useCallback(() => {\n  todos.clear();\n}, []);"],
    [App.replace("}\n", "\n  function late() {}\n}\n"), "function count() {\n  return todos.length;\n}"],
  ];
  for (const [text, code] of refused) expect(await answered("a.jsx", text, `Add to \`a.jsx\`:${fence(code)}`)).toBe(text);
});
