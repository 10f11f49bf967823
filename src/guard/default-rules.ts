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

/** Secrets, by path in the home folder. */
const SECRETS_IN_HOME = [
  ".gnupg", ".azure", ".oci", ".config/gh", ".config/glab-cli", ".config/hub", ".config/git/credentials",
  ".config/gcloud", ".config/doctl", ".config/op", ".config/rclone",
  "_netrc", ".pypirc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".vault-token", ".terraformrc",
  ".terraform.d", ".databrickscfg", ".fly", ".netlify",
  ".yarnrc.yml", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml",
  ".m2/settings-security.xml", ".gradle/gradle.properties",
  ".composer/auth.json", ".config/composer/auth.json", ".config/containers/auth.json", ".config/helm",
  ".config/configstore", ".config/github-copilot", ".config/anthropic",
  ".claude.json", ".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".password-store",
  ".config/keepassxc", ".electrum", ".bitcoin", ".ethereum",
  ".local/share/keyrings", ".local/share/kwalletd", ".config/kwalletrc", "Library/Keychains",
  "AppData/Roaming/Microsoft/Credentials", "AppData/Local/Microsoft/Credentials",
  ".config/hcloud", ".config/scaleway", ".config/linode-cli", ".config/stripe", ".config/ngrok", ".ngrok2",
  ".config/sops", ".config/.wrangler", ".wrangler/config",
  ".pulumi/credentials.json", ".supabase", ".railway", ".kaggle", ".huggingface", ".cache/huggingface/token",
  ".local/share/com.vercel.cli",
  ".local/share/opencode/auth.json", ".config/io.datasette.llm", ".snowsql", ".travis", ".local/share/atuin",
  // Histories of shells and other prompts.
  ".*history", ".zsh_sessions", ".lesshst", ".viminfo", ".local/share/fish", ".local/share/powershell",
  ".local/state/*/history", ".config/nushell/history.*",
  "AppData/Roaming/Microsoft/Windows/PowerShell/PSReadLine",
  // Browsers and mail: cookies, passwords, messages.
  ".mozilla", ".thunderbird", ".config/google-chrome*", ".config/chromium*", ".config/BraveSoftware",
  ".config/microsoft-edge*", ".config/vivaldi*", ".config/opera*",
  "snap/firefox", "snap/chromium", ".var/app", ".cache/mozilla", ".config/Signal", ".config/Slack", ".config/discord",
  "AppData/Roaming/Mozilla", "AppData/Local/Google/Chrome",
  "AppData/Local/Microsoft/Edge", "AppData/Local/BraveSoftware", "Library/Cookies", "Library/Safari", "Library/Mail",
  "Library/Messages", "Library/Application Support/Firefox",
  "Library/Application Support/Google/Chrome", "Library/Application Support/BraveSoftware",
  "Library/Application Support/Microsoft Edge",
];

/** Files that shells run on start. At any depth, since a dotfiles project keeps them in its own folders. */
const SHELL_FILES = [
  ".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".zshrc", ".zshenv",
  ".zprofile", ".zlogin", ".zlogout",
  ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".xprofile", ".xsession", ".xsessionrc", ".xinitrc",
  ".pam_environment",
].map((name) => `**/${name}`);

/** Configuration of git, editors, package managers and agents that takes effect in the project. */
const OBEYED = [
  "**/.gitmodules", "**/.gitconfig", "**/.envrc", "**/.husky/**", "**/.githooks/**", "**/.pre-commit-config.yaml",
  "**/lefthook.yml", "**/lefthook.yaml", "**/.lefthook.yml", "**/.lefthook.yaml", "**/lefthook-local.yml",
  "**/.lefthook-local.yml", "**/.lefthook/**", "**/.lefthook-local/**",
  "**/.vscode/**", "**/.idea/**", "**/.claude/**", "**/.cursor/**", "**/.gemini/**", "**/.mcp.json",
  "**/.npmrc", "**/.yarnrc", "**/.yarnrc.yml", "**/.cargo/config.toml", "**/.cargo/config", "**/.github/workflows/**",
  // Other version control systems, whose configuration can hold commands.
  "**/.hg/**", "**/.jj/**", "**/.sl/**", "**/.svn/**", "**/.bzr/**",
];

/** Files that run automatically or decide what runs, by path in the home folder. */
const OBEYED_IN_HOME = [
  ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", "_netrc", ".git-credentials", ".config/git",
  ".config/gh", ".config/glab-cli", ".config/gcloud",
  ".config/autostart", ".config/systemd", ".config/environment.d", ".config/plasma-workspace", ".config/fish",
  ".config/nushell", ".config/powershell", ".config/direnv",
  ".local/bin", "bin", ".local/share/applications", ".local/share/systemd", ".local/share/dbus-1",
  ".local/share/nautilus", ".local/share/fish", ".oh-my-zsh", ".zsh", ".bashrc.d",
  "Library/LaunchAgents", "Library/Keychains", "Documents/PowerShell", "Documents/WindowsPowerShell",
  "AppData/Roaming/Microsoft/Windows/Start Menu",
  ".crontab", ".inputrc", ".vimrc", ".vim", ".gvimrc", ".exrc", ".config/nvim", ".emacs", ".emacs.d", ".config/emacs",
  ".tmux.conf", ".config/tmux", ".screenrc", ".gdbinit", ".lldbinit",
  ".pythonrc", ".pdbrc", ".irbrc", ".pryrc", ".gemrc", ".bundle/config", ".Rprofile", ".pypirc", ".pip", ".config/pip",
  ".m2/settings.xml", ".gradle", ".cargo", ".rustup", ".npm", ".nvm",
  ".volta", ".pyenv", ".rbenv", ".asdf", ".sdkman", ".bun", ".deno", "go/bin", ".config/mise", ".mozilla",
  ".config/google-chrome*", ".config/chromium*", ".hgrc", ".config/hg", ".codex",
  ".config/i3", ".config/sway", ".config/hypr", ".config/openbox", ".xbindkeysrc", ".config/xfce4", ".config/Code",
  ".config/VSCodium", ".config/Cursor", ".config/JetBrains", ".config/zed",
  ".config/loaf", ".config/bash", ".config/zsh", ".bash_functions", ".aliases", ".functions", ".exports", ".p10k.zsh",
  ".config/starship.toml", ".config/kitty",
  ".config/alacritty", ".config/wezterm", ".wezterm.lua", ".config/ghostty", ".hammerspoon", ".config/karabiner",
  ".config/lazygit", ".config/helix", ".ideavimrc", ".psqlrc",
  ".sqliterc", ".curlrc", ".wgetrc", ".ipython", ".jupyter", ".julia/config", ".config/mpv",
];

/** Refused at any depth. */
export const DEFAULT_DENY: Readonly<Record<Access, readonly string[]>> = {
  read: SECRETS,
  write: [...OBEYED, ...SHELL_FILES],
};

/** Refused by path below a home folder. */
export const HOME_DENY: Readonly<Record<Access, readonly string[]>> = { read: SECRETS_IN_HOME, write: OBEYED_IN_HOME };
