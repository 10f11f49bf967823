/**
 * A block's properties, which inherit nothing. V8 stores objects made by `Object.create(null)` in a form that slowed
 * the NESL parser by a fifth.
 */
export const Properties = function () {} as unknown as new () => Record<string, string>;
Properties.prototype = Object.create(null) as object;
