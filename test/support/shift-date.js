/**
 * From now on `Date` shows that many milliseconds more than the true time, in the process or the
 * page that calls this. It stands on nothing of its module, so that it can be sent to a browser.
 */
export function shiftDate(milliseconds) {
  const TrueDate = Date;
  const trueNow = Date.now;
  TrueDate.now = () => trueNow() + milliseconds;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [TrueDate.now()] : args, newTarget),
    apply: () => new TrueDate(TrueDate.now()).toString(),
  });
  TrueDate.prototype.constructor = globalThis.Date;
}
