import { field, type Grammar } from "../grammar.ts";

export const ruby: Grammar = {
  parts: {
    module: { kind: "module" },
    class: { kind: "class" },
    singleton_class: { kind: "class", name: (node) => `class << ${node.childForFieldName("value")?.text}` },
    method: { kind: "method" },
    singleton_method: {
      kind: "method",
      name: (node) => `${node.childForFieldName("object")?.text}.${node.childForFieldName("name")?.text}`,
    },
    assignment: { kind: "constant", name: field("left", "constant"), notLocal: true },
  },
  functions: ["method", "singleton_method"],
  comments: ["comment"],
  endsByIndentation: true,
};
