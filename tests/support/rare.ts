/** The proof `rare` runs longer searches for rare faults than the test command. */
export const rare = process.env.RARE === '1';
