/**
 * Makes a value when it is first asked for, and once. A failure is not kept. For modules that a start
 * does without: `lazily(() => import('…'))`.
 */
export function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    if (made === undefined) {
      made = make();
      made.catch(() => (made = undefined));
    }
    return made;
  };
}
