/** Rejects paths by their text alone, without asking the file system. */

export type TextProblem = { readonly refusal: string } | { readonly errno: string };

/** @param names `directory` if the path may end in `/`, `/.` or `/..` */
export function problemWithText(path: string, names: "file" | "directory", platform: NodeJS.Platform): TextProblem | undefined {
  if (path === "") return { errno: "ENOENT" };
  const isOrdinary = ORDINARY.test(path);
  if (!isOrdinary && path.includes("\0")) return { errno: "EINVAL" };
  if (!isOrdinary && /\p{Surrogate}/u.test(path)) return { errno: "EILSEQ" };
  const kernel = /^\/+(proc|sys|dev)(?:\/|$)/.exec(path)?.[1];
  if (kernel !== undefined) return { refusal: `deny /${kernel}/**` };
  if (!isOrdinary && isTooLong(path)) return { errno: "ENAMETOOLONG" };
  if (names === "file" && /(?:^|\/)\.{0,2}$/.test(path)) return { refusal: "a file's path cannot end in /, /. or /.." };
  return platform === "win32" && isWindowsTrick(path) ? { refusal: "not a plain Windows path" } : undefined;
}

/** Paths that need none of the slower checks. */
const ORDINARY = /^[\x20-\x7e]{1,255}$/;

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > MAX_PATH_BYTES || path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
}

/**
 * Matches streams (`a:b`), drive-relative and device paths, shares, device names, and names that Windows alters or
 * abbreviates.
 */
function isWindowsTrick(path: string): boolean {
  if (/^[\\/]{2}/.test(path)) return true;
  const names = path.replace(/^[a-z]:(?=[\\/])/i, "").split(/[\\/]/);
  return names.some((name) => /:|~\d/.test(name) || DEVICE.test(name) || (/[. ]$/.test(name) && !/^\.{1,2}$/.test(name)));
}

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
