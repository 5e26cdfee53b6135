/** Whether this process wants requests, as `/readyz` tells those who distribute them. */
export interface Readiness {
  /** False once the process begins to stop. */
  isOpen(): boolean;
  /** To call for every question, before it is answered. */
  noteQuestion(): void;
  /**
   * From now on the answer is no. Resolves when whoever asks regularly has been told often enough
   * to send requests elsewhere: at once where nobody asks, and after a few seconds in any case.
   */
  withdraw(): Promise<void>;
}

/** Who has asked within so long is counted on to ask again. */
const asksRegularlyMs = 30_000;
/** Balancers take a process out after two or three failures. */
const answersNeeded = 3;
const afterLastAnswerMs = 500;
const longestNoticeMs = 4_000;

export function createReadiness(monotonic = () => performance.now()): Readiness {
  let askedAt = -Infinity;
  let isOpen = true;
  let answersLeft = answersNeeded;
  let told = (): void => undefined;
  return {
    isOpen: () => isOpen,
    noteQuestion() {
      askedAt = monotonic();
      if (isOpen) return;
      answersLeft -= 1;
      // The last answer takes its way, and so does what was sent before it arrived.
      if (answersLeft === 0) setTimeout(told, afterLastAnswerMs);
    },
    async withdraw() {
      isOpen = false;
      if (monotonic() - askedAt > asksRegularlyMs) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestNoticeMs);
        told = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
