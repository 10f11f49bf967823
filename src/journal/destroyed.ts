import { keepDifference, remainderOf } from "../disk/images.ts";
import type { IntentRecord } from "./log-record.ts";
import type { LogWriter } from "./log-writer.ts";
import type { Look } from "./look-at.ts";
import type { ImagePlace } from "../disk/operation.ts";

/** Returns the state that an operation destroys, and stores its pre-image in the log. */
export function destroyed(look: Look | undefined, log: LogWriter): IntentRecord["before"] {
  if (look === undefined) return null;
  if (look.state.kind !== "file" || look.image !== undefined) return stateWith(look, look.image);
  const { bytes = NOTHING } = look;
  return stateWith(look, { offset: log.image(bytes.length, (add) => add(bytes)), length: bytes.length });
}

/** Like `destroyed`, for a file that gets new bytes: stores only the part that differs. */
export function destroyedBeside(look: Look, replacing: Buffer | undefined, log: LogWriter): IntentRecord["before"] {
  const { bytes, beside, image } = look;
  const other = replacing ?? NOTHING;
  const remainder = beside ?? (bytes && remainderOf(bytes, other));
  return stateWith(look, remainder === undefined ? image : keepDifference(log, remainder, other));
}

function stateWith({ state }: Look, image: ImagePlace | undefined): IntentRecord["before"] {
  return state.kind === "file" && image !== undefined ? { ...state, image } : state;
}

const NOTHING = Buffer.alloc(0);
