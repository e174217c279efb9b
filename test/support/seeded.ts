/**
 * Makes property tests draw the same cases in every run, so that a run fails because of a change and not by chance.
 * CONCLAVE_SEED=NUMBER draws others.
 */
import fc from "fast-check";

const DEFAULT_SEED = 20_261_127;

fc.configureGlobal({ seed: Number(process.env["CONCLAVE_SEED"] ?? DEFAULT_SEED) });
