import { ROOT_CONTEXT, SpanKind, type Context, type Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { recordingSpan } from './span-context.js';

/**
 * From Node 24 on, AsyncLocalStorage costs nothing where it is not read. Before, its use calls a hook for
 * every promise of the process until it is disabled, and reads take a tenth more processor time.
 */
const isStorageCheap = Number(process.versions.node.split('.')[0]) >= 24;

const readMethods: readonly unknown[] = ['GET', 'HEAD'];

/**
 * Keeps the active span in AsyncLocalStorage, if it is recorded. Before Node 24, the span of a read is
 * never active, so that it has no spans below it, and the storage is disabled while no other span is
 * recorded.
 */
export class RecordedContextManager
  extends AsyncLocalStorageContextManager
  implements SpanProcessor
{
  #kept = 0;

  /** A timer or a batch that a request began may outlive its span, and is then in no trace. */
  override active(): Context {
    const context = super.active();
    return recordingSpan(context) === null ? ROOT_CONTEXT : context;
  }

  override with<
    Parameters extends unknown[],
    Work extends (...parameters: Parameters) => ReturnType<Work>,
  >(
    context: Context,
    work: Work,
    thisArgument?: ThisParameterType<Work>,
    ...parameters: Parameters
  ): ReturnType<Work> {
    const span = recordingSpan(context);
    const entered = span !== null && isKept(span) ? context : ROOT_CONTEXT;
    if (entered === this.active()) return work.apply(thisArgument, parameters);
    return super.with(entered, work, thisArgument, ...parameters);
  }

  onStart(span: Span): void {
    if (isKept(span)) this.#kept += 1;
  }

  onEnd(span: ReadableSpan): void {
    if (!isKept(span)) return;
    this.#kept -= 1;
    if (this.#kept === 0 && !isStorageCheap) this.disable();
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function isKept(span: Span | ReadableSpan): boolean {
  // The interface of a span that is in progress has no getters.
  const { kind, attributes } = span as ReadableSpan;
  return (
    isStorageCheap ||
    kind !== SpanKind.SERVER ||
    !readMethods.includes(attributes['http.request.method'])
  );
}
