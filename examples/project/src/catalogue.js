/** Prices per 100 g, in cents. */
export const catalogue = [
  { name: "Assam", price: 590 },
  { name: "Darjeeling", price: 1240 },
  { name: "Sencha", price: 980 },
];

export function findTea(name) {
  return catalogue.find((tea) => tea.name === name);
}
