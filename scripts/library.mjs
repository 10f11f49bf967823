/** Makes the types of the library as its users get them: those that `index.d.ts` leads to, without the names of zod. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import ts from "typescript";

/** What the declarations of Loaf's internals name of zod. Users meet no value of these types. */
const OPAQUE = `export declare namespace core { type $ZodLooseShape = Record<string, unknown> }
export interface ZodMiniObject<Shape> { readonly shape: Shape }
export type output<Type> = Type extends ZodMiniObject<infer Shape> ? { [Name in keyof Shape]: unknown } : unknown;
`;

/** Copies the declarations that `index.d.ts` leads to. The types of the settings, which zod derives, are written out. */
export function copyPublicTypes(modules, library) {
  const written = new Map([[join(modules, "config/schema.d.ts"), typesIn("src/config/schema.ts")], [join(modules, "zod.d.ts"), OPAQUE]]);
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    const zod = posix.relative(dirname(file), join(modules, "zod.js"));
    const types = (written.get(file) ?? readFileSync(file, "utf8")).replace(/from "zod\/mini"/g, `from "${zod.startsWith(".") ? zod : `./${zod}`}"`);
    const copy = join(library, relative(modules, file));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, types);
    for (const [, path] of types.matchAll(/(?:from |import\()"([^"]+)"/g)) {
      if (path.startsWith(".")) visit(join(dirname(file), path.replace(/\.(?:js|ts)$/, ".d.ts")));
      else if (!path.startsWith("node:")) throw new Error(`${file} needs the types of ${path}, which users do not have`);
    }
  };
  visit(join(modules, "index.d.ts"));
}

/** Prints the exported types of a source without any name from elsewhere. */
function typesIn(source) {
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile("tsconfig.json", ts.sys.readFile).config, ts.sys, process.cwd());
  const program = ts.createProgram([source], options);
  const checker = program.getTypeChecker();
  const aliases = program.getSourceFile(source).statements.filter((statement) => ts.isTypeAliasDeclaration(statement) && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));
  return aliases.map((alias) => {
    const [comment = ""] = /^\s*(\/\*\*[^]*?\*\/\s*)?/.exec(alias.getFullText());
    return `${comment.trim() === "" ? "" : `${comment.trim()}\n`}export type ${alias.name.text} = ${printType(checker.getTypeAtLocation(alias.name), checker, "")};\n`;
  }).join("\n");
}

function printType(type, checker, indent) {
  if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) return [...new Set(type.types.map((one) => printType(one, checker, indent)))].join(" | ").replace("false | true", "boolean");
  if (checker.isArrayType(type)) return `Array<${printType(checker.getTypeArguments(type)[0], checker, indent)}>`;
  if (!(type.flags & ts.TypeFlags.Object)) return checker.typeToString(type);
  if (checker.isTupleType(type) || type.getCallSignatures().length > 0) throw new Error(`cannot print the type ${checker.typeToString(type)}`);
  const inner = `${indent}  `;
  const keys = checker.getIndexInfosOfType(type).map(({ keyType, type: value }) => `${inner}[name: ${checker.typeToString(keyType)}]: ${printType(value, checker, inner)};\n`);
  const properties = type.getProperties().map((property) => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const value = checker.getTypeOfSymbol(property);
    const name = /^\w+$/.test(property.name) ? property.name : JSON.stringify(property.name);
    return `${inner}${name}${isOptional ? "?" : ""}: ${printType(isOptional ? checker.getNonNullableType(value) : value, checker, inner)};\n`;
  });
  return `{\n${[...keys, ...properties].join("")}${indent}}`;
}
