import assert from "node:assert/strict";
import test from "node:test";
import { calcTotal, receipt } from "../src/order.js";

test("an order is priced by weight", () => {
  assert.equal(calcTotal([{ name: "Assam", grams: 200 }]), 1180);
});

test("a receipt ends with the total", () => {
  assert.match(receipt([{ name: "Sencha", grams: 50 }]), /Total: 4.9 EUR$/);
});
