/** Whoever ends what was started for it: a test of tap, or a fault of the fault suite. */
export interface Scope {
  teardown(work: () => unknown): void;
  /** Fails the test, and goes on ending what it started. A fault expects its services to complain. */
  threw?(error: Error): unknown;
}
