import { afterAll, beforeAll } from "vitest";

/** How directories are pinned, and a platform where it is done so. */
export const waysToPin: ReadonlyArray<[way: string, platform: NodeJS.Platform]> = [["descriptor", "linux"], ["chdir", "darwin"]];

/** For the tests of a block. */
export function onPlatform(platform: NodeJS.Platform): void {
  const usual = process.platform;
  const become = (value: NodeJS.Platform) => void Object.defineProperty(process, "platform", { value });
  beforeAll(() => become(platform));
  afterAll(() => become(usual));
}
