/**
 * Makes a value when it is first asked for, and once. A failure is not kept. For what a start does
 * without, such as modules: `lazily(() => import('…'))`. Node 20 itself keeps the failure of an import, so that one
 * for want of file descriptors lasts until a restart; a quarter of them is kept from clients.
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
