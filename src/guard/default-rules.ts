/**
 * Rules without configuration: allows everything below the root, except secrets and files that control other programs.
 */
import type { Access } from "../core/failure.ts";

export const DEFAULT_ALLOW: readonly string[] = ["./**"];

/** Except `TEMPLATES`. */
export const ENV_FILES = "**/.env*";

/** Exceptions from the default refusal of `.env*`: they hold no secrets, and models need them. */
export const TEMPLATES: ReadonlySet<string> = new Set([".env.example", ".env.sample", ".env.template"]);

/** Secrets, recognised by name in any directory. */
const SECRETS = [
  ENV_FILES,
  "**/*.pem",
  "**/*.key",
  "**/id_rsa*",
  "**/id_dsa*",
  "**/id_ecdsa*",
  "**/id_ed25519*",
  "**/.ssh/**",
  "**/.aws/**",
  "**/.npmrc",
  "**/.netrc",
  "**/.git-credentials",
  "**/.kube/**",
  "**/.docker/config.json",
];

/** Files that shells run on start. At any depth, since a dotfiles project keeps them in its own folders. */
const SHELL_FILES = [
  ".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".zshrc", ".zshenv",
  ".zprofile", ".zlogin", ".zlogout",
  ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".xprofile", ".xsession", ".xsessionrc", ".xinitrc",
  ".pam_environment",
].map((name) => `**/${name}`);

/** What takes effect when a project is opened, entered or installed, without a decision to run the project. */
const OBEYED = [
  // Git and its hook managers.
  ".gitmodules", ".gitconfig", ".lfsconfig", ".husky/**", ".huskyrc*", ".githooks/**", ".git-hooks/**",
  ".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml", "lefthook.*", ".lefthook.*", "lefthook-local.*",
  ".lefthook-local.*", ".lefthook/**", ".lefthook-local/**", ".overcommit.yml", ".local-overcommit.yml",
  "captainhook.json",
  // Other version control systems, whose configuration can hold commands.
  ".hg/**", ".jj/**", ".sl/**", ".svn/**", ".bzr/**",
  // Editors and debuggers.
  ".vscode/**", ".idea/**", ".devcontainer/**", ".devcontainer.json", ".zed/**", ".helix/**", ".vimrc", ".gvimrc",
  ".exrc", ".nvimrc", ".nvim.lua", ".dir-locals.el", ".dir-locals-2.el", "*.code-workspace", "*.sublime-project",
  ".gdbinit", ".lldbinit",
  // Shells and version managers.
  ".envrc*", ".autoenv.zsh", ".autoenv", ".direnv/**", ".shadowenv.d/**", "mise*.toml", ".mise*.toml",
  "mise/config*.toml", ".mise/**", ".config/mise/**",
  // Package managers and runtimes.
  ".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn/releases/**", ".yarn/plugins/**", ".pnp.cjs", ".pnpmfile.cjs",
  "pnpm-workspace.yaml", "bunfig.toml", ".cargo/config.toml", ".cargo/config", ".mvn/**", "sitecustomize.py",
  "usercustomize.py",
  // Programs on the way.
  ".venv/bin/**", "venv/bin/**", ".venv/Scripts/**", "venv/Scripts/**", "node_modules/.bin/**",
  // Agents.
  ".claude/**", ".cursor/**", ".gemini/**", ".mcp.json", ".codex/**", ".roo/**", ".kiro/**", ".windsurf/**",
  ".opencode/**", "opencode.json", "opencode.jsonc", ".aider.conf.yml", ".continue/**", ".qwen/**", ".amazonq/**",
  ".factory/**", ".junie/**", ".trae/**", "crush.json", ".crush.json",
  // CI.
  ".github/workflows/**", ".github/actions/**", ".gitlab-ci.yml", ".circleci/**", ".gitea/workflows/**",
  ".forgejo/workflows/**", ".woodpecker.yml", ".woodpecker.yaml", ".woodpecker/**", ".buildkite/**",
  "azure-pipelines.yml", "azure-pipelines.yaml", "bitbucket-pipelines.yml", "Jenkinsfile", ".travis.yml",
].map((name) => `**/${name}`);

/**
 * What runs, or instructs an agent, once the project is built, tested or opened. Models need to write it, so it is only
 * named in the report. Of a package.json only changed scripts count.
 */
export const RUN_WHEN_USED: readonly string[] = [
  // Builds and tasks.
  "{Makefile,makefile,GNUmakefile,*.mk,CMakeLists.txt,meson.build,BUILD,BUILD.bazel,WORKSPACE,SConstruct}",
  "{justfile,Justfile,.justfile,Taskfile.yml,Taskfile.yaml,Rakefile,Gemfile,*.gemspec,build.rs,build.zig,Procfile}",
  "{build.gradle,build.gradle.kts,settings.gradle,settings.gradle.kts,gradlew,mvnw,pom.xml,build.sbt,*.csproj}",
  "{Dockerfile,Containerfile,*.dockerfile,compose.yml,compose.yaml,docker-compose.yml,docker-compose.yaml}",
  "{composer.json,deno.json,deno.jsonc,binding.gyp,Vagrantfile,flake.nix,shell.nix,default.nix}",
  // Tests and configurations that are programs.
  "{conftest.py,setup.py,noxfile.py,fabfile.py,tox.ini,pyproject.toml,*.pth}",
  "*.config.{js,cjs,mjs,ts,cts,mts}",
  "{gulpfile,Gruntfile,jakefile,.eslintrc,.prettierrc,.babelrc,.mocharc}.{js,cjs,mjs,ts}",
  // Agents.
  "{AGENTS,CLAUDE,GEMINI,SKILL}.md",
  "{.cursorrules,.windsurfrules,.clinerules,copilot-instructions.md}",
].map((name) => `**/${name}`);

/** Refused at any depth. */
export const DEFAULT_DENY: Readonly<Record<Access, readonly string[]>> = {
  read: SECRETS,
  write: [...OBEYED, ...SHELL_FILES],
};
