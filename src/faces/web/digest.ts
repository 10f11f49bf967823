/** Whether what is about to happen is what the user has seen. */
import { createHash } from "node:crypto";
import type { Change, Previewed } from "../../index.ts";

/** Returns a hash of everything that a preview shows: of each item its end, and each path before and after. */
export function digestOf(previewed: readonly Previewed[]): string {
  const facts = previewed.map(({ position, result, errors, changes }) => [
    position,
    result?.success,
    result?.error,
    errors?.map(({ message }) => message),
    changes.map((change) => factsOf(change)),
  ]);
  return hash(JSON.stringify(facts));
}

/** Returns whether an action would make just the changes that were shown. */
export function areSame(changes: readonly Change[], shown: readonly Change[]): boolean {
  const facts = (all: readonly Change[]): string => JSON.stringify(all.map((change, at) => factsOf(change, shown[at])));
  return facts(changes) === facts(shown);
}

/** @param shown the bytes of a file that may not be read are not shown, so only its size is compared */
function factsOf({ path, movedFrom, before, after }: Change, shown?: Change): unknown[] {
  return [path, movedFrom, contentFacts(before, shown?.before), contentFacts(after, shown?.after)];
}

function contentFacts(content: Change["before"], shown: Change["before"]): unknown {
  if (content?.kind !== "file") return content;
  const { mode, size, bytes } = content;
  const isHidden = shown?.kind === "file" && shown.bytes === undefined;
  return [mode, size, bytes === undefined || isHidden ? null : hash(bytes)];
}

function hash(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("base64url");
}
