/** Each default refusal: without it, the test of its path fails. */
import { expect, test } from "vitest";
import { createPolicy } from "../../../src/guard/policy.ts";
import { DEFAULT_DENY, HOME_DENY } from "../../../src/guard/default-rules.ts";
import { Disk } from "../../../src/disk/disk.ts";

/** Paths in a project that is the home folder. */
const READ = [
  ".env.local", "server.pem", "k.key", "id_rsa.old", "id_dsa.old", "id_ecdsa.old", "id_ed25519.old", ".ssh/x", ".aws/x", ".npmrc", ".netrc", ".git-credentials",
  ".kube/x", ".docker/config.json", ".gnupg", ".azure", ".oci", ".config/gh", ".config/glab-cli", ".config/hub", ".config/git/credentials", ".config/gcloud",
  ".config/doctl", ".config/op", ".config/rclone", "_netrc", ".pypirc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".vault-token", ".terraformrc",
  ".terraform.d", ".databrickscfg", ".fly", ".netlify", ".yarnrc.yml", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml",
  ".m2/settings-security.xml", ".gradle/gradle.properties", ".composer/auth.json", ".config/composer/auth.json", ".config/containers/auth.json", ".config/helm",
  ".config/configstore", ".config/github-copilot", ".config/anthropic", ".claude.json", ".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json",
  ".password-store", ".config/keepassxc", ".electrum", ".bitcoin", ".ethereum", ".local/share/keyrings", ".local/share/kwalletd", ".config/kwalletrc",
  "Library/Keychains", "AppData/Roaming/Microsoft/Credentials", "AppData/Local/Microsoft/Credentials", ".bash_history", ".zsh_sessions", ".lesshst", ".viminfo",
  ".local/share/fish", ".local/share/powershell", ".local/state/less/history", ".config/nushell/history.txt", "AppData/Roaming/Microsoft/Windows/PowerShell/PSReadLine",
  ".mozilla", ".thunderbird", ".config/google-chrome-beta/x", ".config/chromium-beta/x", ".config/BraveSoftware", ".config/microsoft-edge-beta/x",
  ".config/vivaldi-beta/x", ".config/opera-beta/x", "snap/firefox", "snap/chromium", ".var/app", ".cache/mozilla", ".config/Signal", ".config/Slack", ".config/discord",
  "AppData/Roaming/Mozilla", "AppData/Local/Google/Chrome", "AppData/Local/Microsoft/Edge", "AppData/Local/BraveSoftware", "Library/Cookies", "Library/Safari",
  "Library/Mail", "Library/Messages", "Library/Application Support/Firefox", "Library/Application Support/Google/Chrome", "Library/Application Support/BraveSoftware",
  "Library/Application Support/Microsoft Edge",
  ".config/hcloud", ".config/scaleway", ".config/linode-cli", ".config/stripe", ".config/ngrok", ".ngrok2", ".config/sops", ".config/.wrangler", ".wrangler/config",
  ".pulumi/credentials.json", ".supabase", ".railway", ".kaggle", ".huggingface", ".cache/huggingface/token", ".local/share/com.vercel.cli",
  ".local/share/opencode/auth.json", ".config/io.datasette.llm", ".snowsql", ".travis", ".local/share/atuin",
];
const WRITTEN = [
  ".gitmodules", ".gitconfig", ".envrc", ".husky/x", ".githooks/x", ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml",
  "lefthook-local.yml", ".lefthook-local.yml", ".lefthook/x", ".lefthook-local/x", ".vscode/x", ".idea/x", ".claude/x", ".cursor/x", ".gemini/x", ".mcp.json", ".npmrc",
  ".yarnrc", ".yarnrc.yml", ".cargo/config.toml", ".cargo/config", ".github/workflows/x", ".hg/x", ".jj/x", ".sl/x", ".svn/x", ".bzr/x", ".profile", ".bashrc",
  ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc",
  ".login", ".logout", ".xprofile", ".xsession", ".xsessionrc", ".xinitrc", ".pam_environment", ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc",
  "_netrc", ".git-credentials", ".config/git", ".config/gh", ".config/glab-cli", ".config/gcloud", ".config/autostart", ".config/systemd", ".config/environment.d",
  ".config/plasma-workspace", ".config/fish", ".config/nushell", ".config/powershell", ".config/direnv", ".local/bin", "bin", ".local/share/applications",
  ".local/share/systemd", ".local/share/dbus-1", ".local/share/nautilus", ".local/share/fish", ".oh-my-zsh", ".zsh", ".bashrc.d", "Library/LaunchAgents",
  "Library/Keychains", "Documents/PowerShell", "Documents/WindowsPowerShell", "AppData/Roaming/Microsoft/Windows/Start Menu", ".crontab", ".inputrc", ".vimrc", ".vim",
  ".gvimrc", ".exrc", ".config/nvim", ".emacs", ".emacs.d", ".config/emacs", ".tmux.conf", ".config/tmux", ".screenrc", ".gdbinit", ".lldbinit", ".pythonrc", ".pdbrc",
  ".irbrc", ".pryrc", ".gemrc", ".bundle/config", ".Rprofile", ".pypirc", ".pip", ".config/pip", ".m2/settings.xml", ".gradle", ".cargo", ".rustup", ".npm", ".nvm",
  ".volta", ".pyenv", ".rbenv", ".asdf", ".sdkman", ".bun", ".deno", "go/bin", ".config/mise", ".mozilla", ".config/google-chrome-beta/x", ".config/chromium-beta/x",
  ".hgrc", ".config/hg", ".codex", ".config/i3", ".config/sway", ".config/hypr", ".config/openbox", ".xbindkeysrc", ".config/xfce4", ".config/Code", ".config/VSCodium",
  ".config/Cursor", ".config/JetBrains", ".config/zed",
  ".config/loaf", ".config/bash", ".config/zsh", ".bash_functions", ".aliases", ".functions", ".exports", ".p10k.zsh", ".config/starship.toml", ".config/kitty",
  ".config/alacritty", ".config/wezterm", ".wezterm.lua", ".config/ghostty", ".hammerspoon", ".config/karabiner", ".config/lazygit", ".config/helix", ".ideavimrc", ".psqlrc",
  ".sqliterc", ".curlrc", ".wgetrc", ".ipython", ".jupyter", ".julia/config", ".config/mpv",
];

test.each([
  ["read", READ],
  ["write", WRITTEN],
] as const)("%s: each default refusal refuses one of these paths", (access, paths) => {
  const policy = createPolicy(new Disk(), { root: "/h/u", home: "/h/u", rules: [{ read: {}, write: {} }], platform: "linux", sealed: [], readOnly: [] });
  const refusals = paths.map((path) => policy(`/h/u/${path}`, access));
  expect(paths.filter((_, index) => refusals[index] === undefined)).toEqual([]);
  expect(policy("/h/u/notes/a.txt", access)).toBeUndefined();
  for (const template of [".env.example", ".env.sample", ".env.template"]) expect(policy(`/h/u/a/${template}`, access)).toBeUndefined();
  const rules = [...DEFAULT_DENY[access], ...HOME_DENY[access].map((place) => `~/${place}`)];
  expect(rules.filter((rule) => !refusals.includes(`deny ${rule}`))).toEqual([]);
});
