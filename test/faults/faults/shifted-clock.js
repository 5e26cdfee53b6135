/**
 * Loaded before a process of the service (`--import`): its clock differs from the machine's by
 * CLOCK_SHIFT_MS.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const TrueDate = Date;
const trueNow = Date.now;

TrueDate.now = () => trueNow() + shiftMs;
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [TrueDate.now()] : args, newTarget),
  apply: () => new TrueDate(TrueDate.now()).toString(),
});
TrueDate.prototype.constructor = globalThis.Date;
