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
