import fc from 'fast-check';

/** The same random values in every run; `PROPERTY_SEED=7` tries others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 54) });
