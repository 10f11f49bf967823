import type { Pins } from "../disk/pin.ts";
import type { Version } from "../disk/volume.ts";
import type { IntentRecord } from "./log-record.ts";
import { isState, lookAtIfThere } from "./look-at.ts";

/** A step, in so far as it expects versions. */
interface Expecting {
  readonly intent: Pick<IntentRecord, "operation" | "before" | "moved">;
  readonly expected: Version | null;
  readonly expectedFrom?: Version;
}

/**
 * Files that have several names: to replace, move or remove one of them changes what the others' versions say, of which nobody but Loaf is the cause. A step
 * that comes later expects that then, if all else is as it was.
 */
export class SharedNames {
  readonly #pins: Pins;
  /** Identities of files of which a name was changed. */
  readonly #changed = new Set<string>();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  noteMade({ expected, expectedFrom }: Expecting): void {
    for (const version of [expected, expectedFrom]) if (typeof version === "string") this.#changed.add(identityIn(version));
  }

  /** Whether a version differs from another one only by what was done to other names of the file. */
  isRenewed(version: Version, found: Version): boolean {
    return this.#changed.has(identityIn(version)) && withoutChangeTime(found) === withoutChangeTime(version);
  }

  /** The step as it is to be made now. */
  renewed<Step extends Expecting>(step: Step): Step {
    if (this.#changed.size === 0) return step;
    const { operation, before, moved } = step.intent;
    const isRename = operation.kind === "rename";
    const expected = this.#renewed(step.expected, isRename ? operation.to : operation.path, before);
    const expectedFrom = isRename && step.expectedFrom !== undefined && this.#renewed(step.expectedFrom, operation.from, moved ?? null);
    return { ...step, expected, ...(typeof expectedFrom === "string" && { expectedFrom }) };
  }

  #renewed(version: Version | null, path: string, state: IntentRecord["before"]): Version | null {
    if (version === null || !this.#changed.has(identityIn(version))) return version;
    const found = lookAtIfThere(this.#pins, path);
    return found !== undefined && isState(found.state, state) && this.isRenewed(version, found.version) ? found.version : version;
  }
}

function identityIn(version: Version): string {
  return version.split(":", 2).join(":");
}

function withoutChangeTime(version: Version): string {
  return version.slice(0, version.lastIndexOf(":"));
}
