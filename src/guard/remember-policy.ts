import { createPolicy, type Policy, type PolicyOptions } from "./policy.ts";
import { Seen } from "./seen.ts";

/**
 * Returns a `createPolicy` with a cache of one. Reuses the last policy if the rules are the same and everything that it
 * was made from is unchanged.
 */
export function rememberPolicy(): typeof createPolicy {
  let last:
    | { readonly key: string; readonly rules: PolicyOptions["rules"]; readonly seen: Seen; readonly policy: Policy }
    | undefined;
  return (volume, options) => {
    const { rules, ...rest } = options;
    const key = JSON.stringify([
      rest.root, rest.home, rest.platform, rest.sealed, rest.readOnly, rest.executed
    ]);
    if (last?.key === key && last.rules === rules && last.seen.isSeenIn(volume)) return last.policy;
    const seen = new Seen(volume);
    last = { key, rules, seen, policy: createPolicy(seen, options) };
    return last.policy;
  };
}
