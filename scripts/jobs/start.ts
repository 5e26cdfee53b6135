/** Today: a Tuesday, on which the clock of the run begins at 8:20 in the morning. */
export const today = '2026-12-01';
export const runStart = `${today}T08:20:00-08:00`;
