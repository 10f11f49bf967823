/** What holds where a configuration says nothing: everything below the root, but for secrets and for files that other programs obey. */
import type { Access } from "../../core/failure.ts";

export const DEFAULT_ALLOW: readonly string[] = ["./**"];

export const DEFAULT_DENY: Readonly<Record<Access, readonly string[]>> = {
  read: [
    "**/.env*",
    "**/*.pem",
    "**/*.key",
    "**/id_rsa*",
    "**/id_dsa*",
    "**/id_ecdsa*",
    "**/id_ed25519*",
    "**/.ssh/**",
    "**/.aws/**",
    "**/.npmrc",
  ],
  write: [
    "**/.gitmodules",
    "**/.envrc",
    "**/.husky/**",
    "**/.vscode/**",
    "**/.idea/**",
    "**/.claude/**",
    "**/.mcp.json",
    "**/.profile",
    "**/.bashrc",
    "**/.bash_profile",
    "**/.bash_login",
    "**/.bash_logout",
    "**/.zshrc",
    "**/.zshenv",
    "**/.zprofile",
    "**/.zlogin",
    "**/.zlogout",
    "**/.kshrc",
    "**/.cshrc",
    "**/.tcshrc",
  ],
};

/** Names that the default refusal of `.env*` leaves out: they hold no secrets, and models need them. */
export const TEMPLATES: ReadonlySet<string> = new Set([".env.example", ".env.sample", ".env.template"]);
