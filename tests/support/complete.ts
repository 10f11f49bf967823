/** Whether everything must be there that a test needs, as `.ci/run` says: then what is missing fails, elsewhere its tests are skipped. */
export const isComplete = process.env["LOAF_COMPLETE"] === "yes";
