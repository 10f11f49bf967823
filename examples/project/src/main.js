import { receipt } from "./order.js";

console.log(receipt([
  { name: "Assam", grams: 200 },
  { name: "Sencha", grams: 50 },
]));
