/** Who may import whom in src. The table is the rule; what follows it turns it into dependency-cruiser's. `core` may always be imported. */
const mayImport = {
  core: [],
  edit: [],
  paths: [],
  syntaxes: [],
  config: ["syntaxes"],
  disk: ["paths"],
  guard: ["paths", "disk"],
  addresses: ["edit", "paths"],
  excerpts: ["edit", "addresses"],
  files: ["edit", "paths", "guard", "disk", "addresses", "excerpts"],
  journal: ["paths", "disk"],
  state: ["config", "disk"],
  trust: ["state"],
  process: ["paths", "disk", "state"],
  programs: ["paths", "disk", "guard", "state", "trust", "process"],
  git: ["edit", "config", "paths", "disk", "guard", "journal", "state", "process", "actions"],
  history: ["edit", "paths", "disk", "journal", "state", "trust", "programs", "git", "context"],
  search: ["edit", "paths", "process"],
  context: ["edit", "paths", "state"],
  xd5: ["addresses"],
  actions: ["edit", "excerpts"],
  answer: ["syntaxes", "edit", "config", "paths", "disk", "search", "addresses", "actions"],
  run: ["answer", "syntaxes", "edit", "config", "paths", "disk", "guard", "files", "journal", "state", "trust", "programs", "history", "search", "addresses", "context", "actions"],
  report: ["syntaxes", "edit", "actions"],
  teach: ["syntaxes", "actions"],
  "faces/watch": ["config", "state", "process", "answer", "report"],
  "faces/cli": ["loaf", "config", "state", "trust", "process", "programs", "git", "history", "search", "context", "xd5", "actions", "answer", "syntaxes", "run", "report", "teach", "faces/watch", "faces/mcp", "faces/web"],
  // Clients like any other program: what the face of the library lacks is added there.
  "faces/mcp": ["index"],
  "faces/web": ["index"],
};

/** Types alone cost nothing at run time and bind only to a contract. */
const mayImportTypesOf = {
  paths: ["files", "addresses"],
  guard: ["config"],
  files: ["config"],
  state: ["guard"],
  trust: ["config"],
  programs: ["config", "actions", "run"],
  history: ["config"],
  search: ["files"],
  actions: ["files", "search", "context"],
  answer: ["guard", "files"],
  "faces/watch": ["loaf", "run"],
  "faces/cli": ["files"],
};

/** What reaches the outside world, and the folders that may. */
const mayUse = {
  // The grammars of languages are files of Loaf's package.
  // What git keeps beside a project is neither the project's nor Loaf's own.
  fs: ["addresses", "disk", "journal", "process", "programs", "git", "history", "state", "trust", "faces/cli"],
  child_process: ["process", "programs"],
};

const folder = (name) => (name === "loaf" || name === "index" ? `^src/${name}[.]ts$` : `^src/${name}/`);

/** They see no more of Loaf than its users do. */
const CLIENTS = new Set(["faces/mcp", "faces/web"]);

const layers = Object.entries(mayImport).map(([name, allowed]) => ({
  name: `layer-${name}`,
  severity: "error",
  from: { path: folder(name) },
  to: { path: "^src/", pathNot: [name, ...(CLIENTS.has(name) ? [] : ["core"]), ...allowed, ...(mayImportTypesOf[name] ?? [])].map(folder) },
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
const parsers = { name: "only-addresses-know-their-parsers", severity: "error", from: { path: "^src/", pathNot: folder("addresses") }, to: { path: "web-tree-sitter|markdown-it" } };

module.exports = {
  forbidden: [
    parsers,
    ...layers,
    ...typesOnly,
    ...outside,
    { name: "known-folder", severity: "error", from: { path: "^src/[^/]+/", pathNot: Object.keys(mayImport).map(folder) }, to: {} },
    { name: "face-is-not-imported", severity: "error", from: { path: "^src/[^/]+/", pathNot: [...CLIENTS].map(folder) }, to: { path: "^src/index\\.ts$" } },
    // They meet over HTTP alone.
    { name: "page-is-apart", severity: "error", from: { path: "^src/faces/web/page/" }, to: { path: "^src/", pathNot: ["^src/faces/web/page/", "^src/faces/web/(?:protocol|requests)[.]ts$"] } },
    { name: "server-is-apart", severity: "error", from: { path: "^src/", pathNot: "^src/faces/web/page/" }, to: { path: "^src/faces/web/page/" } },
    { name: "no-cycle", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    { name: "only-what-is-installed", severity: "error", from: { path: "^src/" }, to: { couldNotResolve: true } },
  ],
  options: { tsPreCompilationDeps: "specify", tsConfig: { fileName: "tsconfig.json" }, doNotFollow: { path: "node_modules" }, enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] } },
};
