import { test } from "vitest";
import { surviveMessages } from "../support/mcp-fuzz.ts";

test("whatever arrives, only the protocol leaves, nothing outside is read, and the next request is answered", () => surviveMessages(2, 20_261_122));
