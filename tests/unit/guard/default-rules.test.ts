/** Each default refusal: without it, the test of its path fails. */
import { expect, test } from "vitest";
import { createPolicy } from "../../../src/guard/policy.ts";
import { DEFAULT_DENY } from "../../../src/guard/default-rules.ts";
import { Disk } from "../../../src/disk/disk.ts";

/** Paths in a project. */
const READ = [
  ".env.local", "server.pem", "k.key", "id_rsa.old", "id_dsa.old", "id_ecdsa.old", "id_ed25519.old", ".ssh/x", ".aws/x", ".npmrc", ".netrc", ".git-credentials",
  ".kube/x", ".docker/config.json",
];
const WRITTEN = [
  ".gitmodules", ".gitconfig", ".lfsconfig", ".husky/x", ".huskyrc.js", ".githooks/x", ".git-hooks/x", ".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml",
  "lefthook.yml", ".lefthook.toml", "lefthook-local.yml", ".lefthook-local.yml", ".lefthook/x", ".lefthook-local/x", ".overcommit.yml", ".local-overcommit.yml",
  "captainhook.json", ".hg/x", ".jj/x", ".sl/x", ".svn/x", ".bzr/x", ".vscode/x", ".idea/x", ".devcontainer/x", ".devcontainer.json", ".zed/x", ".helix/x", ".vimrc",
  ".gvimrc", ".exrc", ".nvimrc", ".nvim.lua", ".dir-locals.el", ".dir-locals-2.el", "a.code-workspace", "a.sublime-project", ".gdbinit", ".lldbinit", ".envrc.local",
  ".autoenv.zsh", ".autoenv", ".shadowenv.d/x", ".direnv/x", "mise.toml", ".mise.toml", "mise.local.toml", "mise/config.toml", ".mise/x", ".config/mise/x", ".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn/releases/x",
  ".yarn/plugins/x", ".pnp.cjs", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml", ".cargo/config.toml", ".cargo/config", ".mvn/x", "sitecustomize.py", "usercustomize.py",
  ".venv/bin/x", "venv/bin/x", ".venv/Scripts/x", "venv/Scripts/x", "node_modules/.bin/x", ".claude/x", ".cursor/x", ".gemini/x", ".mcp.json", ".codex/x", ".roo/x", ".kiro/x",
  ".windsurf/x", ".opencode/x", "opencode.json", "opencode.jsonc", ".aider.conf.yml", ".continue/x", ".qwen/x", ".amazonq/x", ".factory/x", ".junie/x", ".trae/x", "crush.json", ".crush.json", ".github/workflows/x", ".github/actions/x", ".gitlab-ci.yml", ".circleci/x",
  ".gitea/workflows/x", ".forgejo/workflows/x", ".woodpecker.yml", ".woodpecker.yaml", ".woodpecker/x", ".buildkite/x", "azure-pipelines.yml", "azure-pipelines.yaml", "bitbucket-pipelines.yml", "Jenkinsfile", ".travis.yml", ".profile", ".bashrc",
  ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc",
  ".login", ".logout", ".xprofile", ".xsession", ".xsessionrc", ".xinitrc", ".pam_environment",
];
/** What runs only by a decision to run the project. */
const OPEN = ["package.json", "Makefile", "conftest.py", "AGENTS.md", "CLAUDE.md", "build.rs", "setup.py", ".github/dependabot.yml", ".cargo/x", "bin/x", ".config/x", ".eslintrc.js"];

test.each([
  ["read", READ],
  ["write", WRITTEN],
] as const)("%s: each default refusal refuses one of these paths", (access, paths) => {
  const policy = createPolicy(new Disk(), { root: "/h/u", home: "/h", rules: [{ read: {}, write: {} }], platform: "linux", sealed: [], readOnly: [] });
  const refusals = paths.map((path) => policy(`/h/u/${path}`, access));
  expect(paths.filter((_, index) => refusals[index] === undefined)).toEqual([]);
  expect(policy("/h/u/notes/a.txt", access)).toBeUndefined();
  for (const template of [".env.example", ".env.sample", ".env.template"]) expect(policy(`/h/u/a/${template}`, access)).toBeUndefined();
  expect(OPEN.filter((path) => policy(`/h/u/${path}`, access) !== undefined)).toEqual([]);
  for (const path of paths) expect(policy(`/h/u/deep/er/${path.toUpperCase()}`, access)).toMatch(/^deny /);
  expect(DEFAULT_DENY[access].filter((rule) => !refusals.includes(`deny ${rule}`))).toEqual([]);
});
