import type { Node } from "web-tree-sitter";
import { field, type Grammar } from "../grammar.ts";
import type { Fault } from "../syntax.ts";

export const python: Grammar = {
  parts: {
    function_definition: { kind: "function" },
    class_definition: { kind: "class" },
    type_alias_statement: { kind: "type", name: field("left") },
    assignment: { kind: "variable", name: field("left", "identifier"), notLocal: true },
  },
  functions: ["function_definition", "lambda"],
  wrappers: ["decorated_definition", "expression_statement"],
  comments: ["comment"],
  endsByIndentation: true,
  layoutFaults,
};

/** Finds what the grammar lets pass. */
function layoutFaults(root: Node): Fault[] {
  return [...faultsOfBlocks(root), ...faultsOfTries(root)];
}

function faultsOfTries(root: Node): Fault[] {
  return root.descendantsOfType("try_statement").flatMap((statement) => {
    const isClosed = statement?.namedChildren.some((child) => child !== null && /^(?:except|finally)/.test(child.type));
    if (statement === null || isClosed === true) return [];
    return [{ start: statement.startIndex, end: statement.endIndex, problem: "a try has neither except nor finally" }];
  });
}

/** Finds blocks without a statement, and statements that are not aligned with the first one of their block. */
function faultsOfBlocks(root: Node): Fault[] {
  return root.descendantsOfType(["module", "block"]).flatMap((block) => {
    const statements = block?.namedChildren.filter((child) => child !== null && child.type !== "comment") as Node[];
    const [first] = statements;
    if (block === null || (block.type === "module" && first === undefined)) return [];
    if (first === undefined)
      return [{ start: block.startIndex, end: block.endIndex, problem: "an indented block is missing" }];
    const { row, column } = first.startPosition;
    const odd = statements.find(
      ({ startPosition: at }, index) =>
        at.column !== column && at.row !== (index === 0 ? row : statements[index - 1]?.endPosition.row),
    );
    return odd === undefined
      ? []
      : [{ start: odd.startIndex, end: odd.endIndex, problem: "the indentation does not match" }];
  });
}
