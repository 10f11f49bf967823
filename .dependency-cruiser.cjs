/** Who may import whom in src. The table is the rule; what follows it turns it into dependency-cruiser's. `core` may always be imported. */
const mayImport = {};

/** Types alone cost nothing at run time and bind only to a contract. */
const mayImportTypesOf = {};

/** What reaches the outside world, and the folders that may. */
const mayUse = {
  // What git keeps beside a project is neither the project's nor Loaf's own.
  fs: ["workspace", "host", "exec", "git"],
  child_process: ["exec"],
};

const folder = (name) => `^src/${name}/`;

const layers = Object.entries(mayImport).map(([name, allowed]) => ({
  name: `layer-${name}`,
  severity: "error",
  from: { path: folder(name) },
  to: { path: "^src/", pathNot: [name, "core", ...allowed, ...(mayImportTypesOf[name] ?? [])].map(folder) },
}));

const typesOnly = Object.entries(mayImportTypesOf).map(([name, allowed]) => ({
  name: `types-only-${name}`,
  severity: "error",
  from: { path: folder(name) },
  to: { path: allowed.map(folder), dependencyTypesNot: ["type-only"] },
}));

const outside = Object.entries(mayUse).map(([module, allowed]) => ({
  name: `only-some-use-${module}`,
  severity: "error",
  from: { path: "^src/", pathNot: allowed.map(folder) },
  to: { path: `^(node:)?${module}(/promises)?$` },
}));

/** Packages that one folder knows how to handle. */
const parsers = { name: "only-structure-knows-its-parsers", severity: "error", from: { path: "^src/", pathNot: folder("structure") }, to: { path: "web-tree-sitter|markdown-it" } };

module.exports = {
  forbidden: [
    ...layers,
    ...typesOnly,
    { name: "face-is-not-imported", severity: "error", from: { path: "^src/[^/]+/" }, to: { path: "^src/index\\.ts$" } },
    { name: "no-cycle", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    { name: "only-what-is-installed", severity: "error", from: { path: "^src/" }, to: { couldNotResolve: true } },
  ],
  options: { tsPreCompilationDeps: "specify", tsConfig: { fileName: "tsconfig.json" }, doNotFollow: { path: "node_modules" }, enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] } },
};
