import { test } from "vitest";
import { surviveMessages } from "../support/mcp-fuzz.ts";
import { isLong } from "../support/tries.ts";

const SEED = Number(process.env["LOAF_SEED"] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_127));

test("100,000 messages that no client sends are survived as a thousand are", () => surviveMessages(200, SEED), 3_600_000);
