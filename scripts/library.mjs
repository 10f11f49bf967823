/** Makes the compiled library independent of zod: its code is vendored as one module, and the public types do not name it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { build, transformSync } from "esbuild";
import ts from "typescript";
import { filesBelow } from "./files.mjs";

/** Bundles `zod/mini` into one module, and makes the library import that. */
export async function vendorZod(library) {
  const stdin = { contents: 'export * from "zod/mini";', resolveDir: process.cwd() };
  await build({ absWorkingDir: process.cwd(), stdin, outfile: `${library}/vendor/zod.js`, bundle: true, platform: "node", target: "node20", format: "esm", minify: true, legalComments: "none", logLevel: "warning" });
  for (const file of filesBelow(library)) {
    const text = readFileSync(file, "utf8");
    const vendored = text.replace(/^(import .* from) "zod\/mini";$/m, `$1 "${posix.relative(dirname(file), `${library}/vendor/zod.js`)}";`);
    if (vendored !== text) writeFileSync(file, vendored);
  }
}

/** Takes the comments out of the modules. Their declarations have those that users read. */
export function withoutComments(library) {
  for (const file of filesBelow(library))
    if (file.endsWith(".js")) writeFileSync(file, transformSync(readFileSync(file, "utf8"), { loader: "js", target: "node20", format: "esm", charset: "utf8" }).code);
}

/** What the declarations of Loaf's internals name of zod. Users meet no value of these types. */
const OPAQUE = `export declare namespace core { type $ZodLooseShape = Record<string, unknown> }
export interface ZodMiniObject<Shape> { readonly shape: Shape }
export type output<Type> = Type extends ZodMiniObject<infer Shape> ? { [Name in keyof Shape]: unknown } : unknown;
`;

/** Writes out the types of the settings, which zod derives, and removes declarations that `index.d.ts` does not lead to. */
export function keepPublicTypes(library) {
  writeFileSync(`${library}/config/schema.d.ts`, typesIn("src/config/schema.ts"));
  writeFileSync(`${library}/vendor/zod.d.ts`, OPAQUE);
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
      if (path.startsWith(".")) visit(join(dirname(file), path.replace(/\.(?:js|ts)$/, ".d.ts")));
      else if (!path.startsWith("node:")) throw new Error(`${file} needs the types of ${path}, which users do not have`);
    }
  };
  visit(join(library, "index.d.ts"));
  for (const file of filesBelow(library)) if (file.endsWith(".d.ts") && !reached.has(join(file))) rmSync(file);
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
