/** The owner of started resources, which ends them: a test of tap, or a fault of the fault suite. */
export interface Scope {
  teardown(work: () => unknown): void;
  /** Fails the test and continues its teardown. A fault has none: its services may log errors. */
  threw?(error: Error): unknown;
}
