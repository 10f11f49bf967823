import { beforeAll, expect, test } from "vitest";
import { loadStructure, partsOf } from "../../../src/addresses/structure.ts";

function shown(text: string): readonly string[] {
  return partsOf("Makefile", text).map(({ kind, name, start, end }) => `${kind} ${name}: ${JSON.stringify(text.slice(start, end))}`);
}

beforeAll(() => loadStructure("Makefile"));

test("finds rules with their recipes, and variables, with the comments above them", () => {
  expect(shown("CC = gcc\n# Flags.\nexport CFLAGS += -O2 \\\n  -Wall\n\nall: app\n\n# Links it.\napp: main.o\n\t$(CC) -o $@\n\n\tstrip $@\n%.o: %.c\n\t$(CC) -c $<\n")).toEqual([
    'variable CC: "CC = gcc\\n"',
    'variable CFLAGS: "# Flags.\\nexport CFLAGS += -O2 \\\\\\n  -Wall\\n"',
    'rule all: "all: app\\n"',
    'rule app: "# Links it.\\napp: main.o\\n\\t$(CC) -o $@\\n\\n\\tstrip $@\\n"',
    'rule %.o: "%.o: %.c\\n\\t$(CC) -c $<\\n"',
  ]);
});

test("takes neither conditions nor recipes for parts", () => {
  expect(shown("ifeq ($(A),b)\nX := 1\nendif\n.PHONY: a\na:\n\techo b: c\n\tD=1\ninclude x.mk\n")).toEqual([
    'variable X: "X := 1\\n"', 'rule .PHONY: ".PHONY: a\\n"', 'rule a: "a:\\n\\techo b: c\\n\\tD=1\\n"',
  ]);
});

test("reads CRLF, and a file without a line feed at its end", () => {
  expect(shown("a: b\r\n\techo\r\n\r\nC=1")).toEqual(['rule a: "a: b\\r\\n\\techo\\r\\n"', 'variable C: "C=1"']);
});
