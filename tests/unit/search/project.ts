/** Opens a project on the disk, to search in it. */
import type { HardLinks } from "../../../src/config/guard-rules.ts";
import { findRipgrep } from "../../../src/search/ripgrep.ts";
import { createSearch, type Search } from "../../../src/search/search.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { createGuard } from "../../../src/guard/guard.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import { createTree } from "../../../src/files/reader.ts";

export const ripgrep = findRipgrep();

export interface SearchableProject {
  readonly search: Search;
  /** The workspace's volume: its changes are not on the disk. */
  readonly overlay: Overlay;
}

/** @param program the path of ripgrep, or undefined to search without it */
export function openProject(root: string, program: string | undefined, options: { readonly deny?: readonly string[]; readonly allow?: readonly string[]; readonly hardLinks?: HardLinks; readonly checkGranted?: (path: string) => void } = {}): SearchableProject {
  const overlay = new Overlay(new Disk());
  const { deny = [], allow = ["./**"] } = options;
  const rules = [{ read: { allow: [...allow], deny: [...deny] }, write: {} }];
  const guard = createGuard({ volume: overlay, root, home: "/nowhere", rules, sealed: [], readOnly: [], platform: "linux" });
  const tree = createTree({ volume: overlay, guard, hardLinks: options.hardLinks, touched: () => overlay.touched() });
  const search = createSearch({ tree, root, ripgrep: () => program, fewFiles: 0, inTime: async (act) => await act(), timeout: 60_000, checkGranted: options.checkGranted ?? (() => {}) });
  return { search, overlay };
}

