import type { Pins } from "./pin.ts";
import { pinsByChdir } from "./pin-by-chdir.ts";
import { createDescriptorPins } from "./pin-by-descriptor.ts";
import { isSystemError } from "./system-error.ts";

/** Linux shows for each descriptor where it leads; elsewhere, and where that is hidden, the process itself goes to the directory. */
export function choosePins(platform: NodeJS.Platform = process.platform): Pins {
  return platform === "linux" ? (onLinux ??= chooseOnLinux()) : pinsByChdir;
}

/** It is the same as long as the process runs. */
let onLinux: Pins | undefined;

function chooseOnLinux(): Pins {
  try {
    const pins = createDescriptorPins();
    pins.inDirectory("/", () => {});
    return pins;
  } catch (thrown) {
    if (isSystemError(thrown)) return pinsByChdir;
    throw thrown;
  }
}
