/**
 * From now on `Date` shows that many milliseconds more than the true time, in the process or the
 * page that calls this. Uses nothing of its module, so that it can be sent to a browser.
 */
export function shiftDate(milliseconds: number): void {
  const TrueDate = Date;
  const trueNow = Date.now;
  TrueDate.now = () => trueNow() + milliseconds;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [TrueDate.now()] : args, newTarget) as Date,
    apply: () => new TrueDate(TrueDate.now()).toString(),
  });
  TrueDate.prototype.constructor = globalThis.Date;
}
