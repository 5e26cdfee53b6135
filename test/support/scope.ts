/** Whoever ends what was started for it: a test of tap, or a fault of the fault suite. */
export interface Scope {
  teardown(work: () => unknown): void;
}
