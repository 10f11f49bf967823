import type { Pins } from "../disk/pin.ts";
import type { Version } from "../disk/volume.ts";
import type { IntentRecord } from "./log-record.ts";
import { isState, lookAtIfThere } from "./look-at.ts";

/** The part of a step that expects versions. */
interface ExpectedVersions {
  readonly intent: Pick<IntentRecord, "operation" | "before" | "moved">;
  readonly expected: Version | null;
  readonly expectedFrom?: Version;
}

/**
 * Tracks files with several names (hard links). Changing one name changes the version seen through the others. Later steps then accept the
 * new version if everything else is unchanged.
 */
export class SharedNames {
  readonly #pins: Pins;
  /** Identities of files of which a name was changed. */
  readonly #changed = new Set<string>();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  recordChange({ expected, expectedFrom }: ExpectedVersions): void {
    for (const version of [expected, expectedFrom]) if (typeof version === "string") this.#changed.add(identityIn(version));
  }

  /** Returns whether two versions differ only by our changes to other names of the file. */
  isOwnChange(version: Version, found: Version): boolean {
    return this.#changed.has(identityIn(version)) && withoutChangeTime(found) === withoutChangeTime(version);
  }

  /** Returns the step with the versions to expect now. */
  withCurrentVersions<Step extends ExpectedVersions>(step: Step): Step {
    if (this.#changed.size === 0) return step;
    const { operation, before, moved } = step.intent;
    const isRename = operation.kind === "rename";
    const expected = this.#currentVersion(step.expected, isRename ? operation.to : operation.path, before);
    const expectedFrom = isRename && step.expectedFrom !== undefined && this.#currentVersion(step.expectedFrom, operation.from, moved ?? null);
    return { ...step, expected, ...(typeof expectedFrom === "string" && { expectedFrom }) };
  }

  #currentVersion(version: Version | null, path: string, state: IntentRecord["before"]): Version | null {
    if (version === null || !this.#changed.has(identityIn(version))) return version;
    const found = lookAtIfThere(this.#pins, path);
    return found !== undefined && isState(found.state, state) && this.isOwnChange(version, found.version) ? found.version : version;
  }
}

function identityIn(version: Version): string {
  return version.split(":", 2).join(":");
}

function withoutChangeTime(version: Version): string {
  return version.slice(0, version.lastIndexOf(":"));
}
