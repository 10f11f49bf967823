/** The law of code without a path: below a sentence that only shows it, nothing lands, whatever the code has of a file. */
import { expect, test } from "vitest";
import { answeredIn } from "./answered.ts";

interface Project {
  readonly fence: string;
  readonly files: Readonly<Record<string, string>>;
  /** New forms of what the files have: of a function, a class, its members, a file; and a use. */
  readonly codes: readonly string[];
}

const PROJECTS: readonly Project[] = [
  {
    fence: "typescript",
    files: {
      "src/cart.ts":
        'import { Item } from "./item";\n\nexport class Cart {\n  private items: Item[] = [];\n\n  add(item: Item): void {\n    this.items.push(item);\n  }\n\n  total(): number {\n    return this.items.reduce((sum, item) => sum + item.price, 0);\n  }\n}\n\nexport function format(value: number): string {\n  return value.toFixed(2);\n}\n',
      "src/item.ts": "export interface Item {\n  name: string;\n  price: number;\n}\n",
    },
    codes: [
      "export function format(value: number): string {\n  return `$${value.toFixed(2)}`;\n}\n",
      "class Cart {\n  total(): number {\n    return 0;\n  }\n}\n",
      "  total(): number {\n    let sum = 0;\n    for (const item of this.items) sum += item.price;\n    return sum;\n  }\n",
      "export interface Item {\n  name: string;\n  price: number;\n  count: number;\n}\n",
      'const cart = new Cart();\ncart.add({ name: "a", price: 1 });\nconsole.log(cart.total());\n',
    ],
  },
  {
    fence: "python",
    files: {
      "shop/cart.py":
        'from .item import Item\n\n\nclass Cart:\n    def __init__(self):\n        self.items = []\n\n    def add(self, item):\n        self.items.append(item)\n\n    def total(self):\n        return sum(item.price for item in self.items)\n\n\ndef fmt(value):\n    return f"{value:.2f}"\n',
      "shop/item.py": "class Item:\n    def __init__(self, name, price):\n        self.name = name\n        self.price = price\n",
      "shop/__init__.py": "from .cart import Cart\n",
    },
    codes: [
      'def fmt(value):\n    return f"${value:.2f}"\n',
      "class Cart:\n    def total(self):\n        return 0\n",
      "    def total(self):\n        total = 0\n        for item in self.items:\n            total += item.price\n        return total\n",
      "class Item:\n    def __init__(self, name, price, count=1):\n        self.name = name\n        self.price = price\n        self.count = count\n",
      'cart = Cart()\ncart.add(Item("a", 1))\nprint(cart.total())\n',
    ],
  },
];

/** What stands above the code, and below it. */
const SENTENCES = [
  "A getter would look like this in Java:", "Here is how lodash does it:", "In Rust you would write:", "This is what the compiler sees:", "A typical implementation looks like this:",
  "Here's a common pattern:", "For comparison, the naive version:", "Before the refactoring it was:", "The version in the docs reads:", "Consider the following code:", "Take this example:",
  "Suppose your code were:", "If you had written this:", "The problem is that your code does the same as:", "Your current code:", "The code you posted:", "This is wrong:",
  "Don't write it like this:", "An anti-pattern would be:", "Here's what happens under the hood:", "Roughly equivalent to:", "It desugars to:", "Imagine a class like this:",
  "In the tutorial they have:", "In version 1 of the library it was:", "You asked what this does:", "Let's walk through the code:", "First, let's look at the code in question:",
  "The code does the following:", "This function formats a value:", "What does this return?", "Compare that with:", "An alternative (which I don't recommend):", "Some people prefer:",
  "One could also write:", "In the test you can mock it:", "In a different project I used:", "To reproduce the bug:", "Say we have:", "Given this:", "Here is a minimal reproduction:",
  "Here is a simplified version of your code to illustrate:", "To illustrate:", "For example:", "As an example:", "A quick demo:", "Usage:", "This won't work:", "The following would break:",
  "The error comes from this part:", "The relevant part:", "The method in question:", "I see that you have:", "You wrote:", "As you can see in your file:", "That's because of how it is written:",
  "Note how it's defined:", "Ihr Code sieht derzeit so aus:", "Zum Vergleich:", "Ein Beispiel:", "Das Problem liegt hier:", "Voici votre code actuel :", "Par exemple :", "Este es tu código actual:",
  "Por ejemplo:", "This is equivalent to:|So nothing needs to change.", "No change is needed here:", "It's already correct:", "Looks good to me:", "I would leave it as is:",
  "Here is the code:|This is your code as it stands; it is fine.", "It's basically this:", "Essentially you get:", "Which is the same as writing:", "So effectively you have:",
  "Right now the logic is:", "Currently:", "At the moment it reads:", "The existing implementation:", "The existing one looks like this:", "Looking at your code:", "From what you shared:",
  "Based on the snippet you shared:", "In your snippet:", "Your snippet:", "Reading your code:", "I looked at your code:", "I noticed this:", "I found this in your project:", "There's this:",
  "The following part is responsible:", "The bug is here:", "This is where it goes wrong:", "This is the line that crashes:", "The failing code:", "This fails:", "Which fails with a TypeError:",
  "In a REPL:", "You can call it like so:", "And use it like this:", "Now you can write:", "This lets you write:", "Java has this:", "React does this internally:", "The standard library has:",
  "The Go equivalent:", "If it were async:", "With decorators it would be:", "With generics you could have:", "In production you may want:", "A fancier version:", "An over-engineered version:",
  "A one-liner for fun:", "Just for fun:", "For reference:", "For your information:", "For context:", "As a reminder:", "Recall that:", "Remember the definition:", "By definition:",
  "The signature is:", "The interface is:", "Its API:", "The type is:", "Let's start with what you have:", "Let's look at the original:", "I assume your code is something like:", "I'm assuming:",
  "Assuming a class like:", "My understanding of your code:", "If I understand correctly, you have:", "Is this your code?", "Did you mean this?", "What about this part?", "Why is this slow?",
  "I looked at your code.", "This is the code you have.", "That's how it works.", "Here is what happens in your code.", "Your code does the following.", "Let me explain.", "Interesting.",
  "Sure, let's go through it.", "This is correct already.", "I don't see a problem.", "It works as expected.", "Your implementation is fine.", "Nothing is wrong with it.",
  "The code is in the standard library.", "This is from the Django source.", "The pattern is called a factory.", "It is a common idiom.", "This is what you wrote.", "This is how it looks today.",
  "You can keep it.", "I reproduced it with this class.", "I used this for testing.", "My test class was the following.", "I can't see your file, so I guess it is like this.",
  "I don't know your code, but it probably looks like this.", "I can't access your repository.", "The answer depends on your class.", "No, that isn't possible in Python.", "No.", "In short: yes.",
  "It depends.", "The class has three methods.", "`Cart` has two methods.", "`total` sums the prices.", "`format` rounds the value.", "The function is pure.", "It returns a string.",
  "This is the smallest example.", "A minimal example.", "An excerpt.", "From the documentation.", "Excerpt from the manual:", "Quoted from Stack Overflow:", "Found on Stack Overflow:",
  "ChatGPT suggested:", "Copilot wrote:", "Here's what Copilot suggested:", "The reviewer proposed:", "They changed it to:", "It was changed to this in 2.0:", "It changed in version 3:",
  "The fix in upstream was:", "The fix they used:", "What changed:", "What changed between the versions:", "Nothing changed here:", "This works, but slowly:", "It works because of this:",
  "Why it works:", "How it works:", "How this works:", "The way it works now:", "The way you do it now:", "Right now you do it this way:", "Right now it is:", "Now you have:", "So now you have:",
  "What you have now:",
  "This is how it works in most code bases.", "In Java, the equivalent is this.", "As you can see, the value is stripped twice.", "This is what a reader of the code sees.",
  "A common implementation of such a function:", "Every project I know has one of these:", "The standard library has the same thing:", "lodash does it that way:", "From Stack Overflow:",
  "The book shows this:", "My own projects use this:", "The interview answer is this:", "In the release notes of 3.0 you find this:", "On the develop branch it is this:",
  "Your teammate pushed this:", "GitHub shows this for the last commit:", "It was once this:", "The first iteration:", "Approach 2 (not recommended):", "Discouraged:", "Over-engineered:",
  "The slow path:", "What not to do:", "The temptation is great to do this:", "Beginners do this:", "ESLint would complain about this:", "The type checker rejects this:",
  "The following does not compile:", "This seems right, but it leaks:", "Tests pass with this, but only by luck:", "This version has a race condition:",
  "That version returns the wrong value for empty input.", "With this code you get a TypeError:", "This raises a ValueError for \"a=b=c\".", "I assume your function is this:",
  "I'm assuming something along these lines:", "Assume this definition:", "Given the following definition:", "Consider this:", "Say the function is this:", "Think of it as this:",
  "In spirit it is this:", "Effectively, Python runs this:", "At runtime, this happens:", "The optimizer makes this of it:", "V8 inlines it into this:", "The generated code:",
  "In the minified bundle you find this:", "The relevant part of your code:", "The relevant lines:", "For reference, here's the function:", "A more functional style:", "If performance matters:",
  "If you're on Python 3.12:", "In a future PR:", "Not needed now:", "Don't change it to this:", "Please don't do this.", "You shouldn't do this:", "I would not change it to this:",
  "I decided against this:", "I considered this:", "My first idea was this:", "I tried this and it failed:", "We discussed this last week:", "You asked about this:", "You quoted this:",
  "Your suggestion:", "Your proposed change:", "Your idea was this:", "Is this better?", "Yes, that's correct.", "That's right.", "Exactly.", "Here:", "Python:", "Function:", "Listing 1:",
  "The test calls this function:", "The fixture:", "A stub for the tests:", "His version:", "The upstream version:", "The reference solution:", "The canonical version:", "In the fork:",
  "In our other service:", "The backend has the same function:", "Compare it with this:", "Note the second line:", "Guess what this prints:", "The output of this is 3.", "This returns a tuple.",
  "Vorher:", "Bisher steht dort das:", "Der bisherige Code war das:", "Zum Verständnis:", "Das ist falsch:", "Man könnte auch das schreiben:", "Intern passiert das:",
  "Angenommen, die Funktion ist so:", "Stell dir vor, es wäre so:", "Möglichkeit 2:", "Auparavant:", "Voilà comment cela marche:", "Pour comparer:", "À titre d'exemple:",
  "Supposons que la fonction soit ainsi:", "Il ne faut pas faire cela:", "Antes:", "A modo de ejemplo:", "Imagina que tienes esto:", "No hagas esto:", "Así funciona por dentro:", "Раньше было так:",
  "以前是这样:", "比如这样:",
];

test.each(PROJECTS)("$fence", { timeout: 120_000 }, async ({ fence, files, codes }) => {
  for (const [index, sentence] of SENTENCES.entries()) {
    const [above = "", below = ""] = sentence.split("|");
    // Each with two of the codes, the new form of a file among them.
    for (const code of [codes[index % codes.length] ?? "", codes[3] ?? ""]) {
      const answer = `${above}\n\n\`\`\`${fence}\n${code}\`\`\`\n\n${below}\n`;
      expect(await answeredIn(files, answer), `${sentence}\n${code}`).toEqual(files);
    }
  }
});

test.each([
  ["an answer that says so above", "You don't need to change anything.\n\nThe function does what you want now:", ""],
  ["an answer that says so below", "This handles the rest too.", "No change needed."],
  ["one that asks", "I see two ways to fix it. The first:", "Which one do you mean?"],
])("nothing lands of %s", async (_, above, below) => {
  for (const { fence, files, codes } of PROJECTS)
    expect(await answeredIn(files, `${above}\n\n\`\`\`${fence}\n${codes[0]}\`\`\`\n\n${below}\n`)).toEqual(files);
});

test.each(["You don't need to change anything else.", "No changes are needed in the tests.", "The callers don't have to change.", "Nothing else has to change."])("what leaves the rest gives it: %s", async (below) => {
  const files = PROJECTS[1]?.files ?? {};
  const code = 'def fmt(value):\n    if value is None:\n        return ""\n    return f"{value:.2f}"\n';
  const now = await answeredIn(files, `The bug is in \`fmt\`: it never checks for \`None\`.\n\n\`\`\`python\n${code}\`\`\`\n\n${below}\n`);
  expect(now["shop/cart.py"]).toContain(code);
});

test.each(["breakpoint()", "print('DEBUG', name)", "self.name = name  <-- here"])("what is put in to find a fault is no change: %s", async (line) => {
  const files = PROJECTS[1]?.files ?? {};
  const shown = `class Item:\n    def __init__(self, name, price):\n        ${line}\n        self.name = name\n        self.price = price\n`;
  expect(await answeredIn(files, `It never checks the name:\n\n\`\`\`python\n${shown}\`\`\`\n`)).toEqual(files);
});

test.each(["Revert this change:", "Undo this:", "Here's the diff between the two branches:", "Bob's change was this:", "Hier ist der Diff des Kollegen:"])("a diff that is somebody's lands nowhere: %s", async (sentence) => {
  const files = PROJECTS[1]?.files ?? {};
  expect(await answeredIn(files, `${sentence}\n\n\`\`\`diff\n-        self.price = price\n+        self.price = float(price)\n\`\`\`\n`)).toEqual(files);
});
