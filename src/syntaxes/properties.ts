/** A block's properties. Instances inherit nothing, as those of `Object.create(null)`, which V8 keeps in a form that made NESL's parser a fifth slower. */
export const Properties = function () {} as unknown as new () => Record<string, string>;
Properties.prototype = Object.create(null) as object;
