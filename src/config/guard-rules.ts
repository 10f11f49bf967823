/** Rules for one kind of access. An absent list means the defaults, so it must stay absent. */
export interface AccessRules {
  allow?: string[];
  deny?: string[];
}

export interface GuardRules {
  readonly read: AccessRules;
  readonly write: AccessRules;
  /** Whether to read files with several names (hard links). */
  readonly hard_links?: HardLinks;
}

export type HardLinks = "report" | "deny";

/** As written in a configuration: lists for one kind of access, or for both. */
interface WrittenRules {
  read?: AccessRules | undefined;
  write?: AccessRules | undefined;
  allowed?: string[] | undefined;
  denied?: string[] | undefined;
  hard_links?: HardLinks | undefined;
}

/** Expands the short form, `allowed` and `denied`. */
export function guardRules({ read, write, allowed, denied, hard_links }: WrittenRules = {}): GuardRules {
  return {
    read: accessRules(read, allowed, denied),
    write: accessRules(write, allowed, denied),
    ...(hard_links && { hard_links }),
  };
}

function accessRules(rules: AccessRules = {}, allowed?: string[], denied?: string[]): AccessRules {
  const allow = rules.allow ?? allowed;
  const deny = rules.deny || denied ? [...(denied ?? []), ...(rules.deny ?? [])] : undefined;
  return { ...(allow && { allow }), ...(deny && { deny }) };
}
