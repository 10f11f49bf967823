/** The folder of the shared data that LOAF_SHARED names. Without it the tests that need it say that they are skipped; in CI that is a failure. */
export const shared = process.env["LOAF_SHARED"];

if (shared === undefined && process.env["CI"] !== undefined) throw new Error("LOAF_SHARED is not set: in CI the tests that need it do not skip");
