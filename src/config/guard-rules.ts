/** The rules of one access. An absent list means the defaults, so it stays absent. */
export interface AccessRules {
  allow?: string[];
  deny?: string[];
}

export interface GuardRules {
  readonly read: AccessRules;
  readonly write: AccessRules;
  /** Whether a file with several names is read. */
  readonly hard_links?: HardLinks;
}

export type HardLinks = "report" | "deny";

/** As a configuration writes them: lists of one access, or for both at once. */
interface WrittenRules {
  read?: AccessRules | undefined;
  write?: AccessRules | undefined;
  allowed?: string[] | undefined;
  denied?: string[] | undefined;
  hard_links?: HardLinks | undefined;
}

/** Guard rules with the short form written out. */
export function guardRules({ read, write, allowed, denied, hard_links }: WrittenRules = {}): GuardRules {
  return { read: accessRules(read, allowed, denied), write: accessRules(write, allowed, denied), ...(hard_links && { hard_links }) };
}

function accessRules(own: AccessRules = {}, allowed?: string[], denied?: string[]): AccessRules {
  const allow = own.allow ?? allowed;
  const deny = own.deny || denied ? [...(denied ?? []), ...(own.deny ?? [])] : undefined;
  return { ...(allow && { allow }), ...(deny && { deny }) };
}
