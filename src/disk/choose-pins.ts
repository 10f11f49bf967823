import type { Pins } from "./pin.ts";
import { pinsByChdir } from "./pin-by-chdir.ts";
import { createDescriptorPins } from "./pin-by-descriptor.ts";
import { unlessSystemError } from "./system-error.ts";

/**
 * Linux shows the path of each descriptor. Elsewhere, or if /proc is hidden, the process changes into the directory.
 */
export function choosePins(platform: NodeJS.Platform = process.platform): Pins {
  return platform === "linux" ? (onLinux ??= chooseOnLinux()) : pinsByChdir;
}

/** Cached, because it does not change while the process runs. */
let onLinux: Pins | undefined;

function chooseOnLinux(): Pins {
  return unlessSystemError(() => {
    const pins = createDescriptorPins();
    pins.inDirectory("/", () => {});
    return pins;
  }, pinsByChdir);
}
