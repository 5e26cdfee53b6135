import { ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import { recordingSpan } from './spans.js';

/**
 * From Node 24 on, AsyncLocalStorage costs nothing while it is not read. Before, it calls a hook for
 * every promise of the process until it is disabled, and reads take a tenth more processor time.
 */
const isStorageCheap = Number(process.versions.node.split('.')[0]) >= 24;

/**
 * Keeps the active span in AsyncLocalStorage, if it is recorded. Before Node 24, the storage is disabled
 * while no span is recorded.
 */
export class RecordedContextManager
  extends AsyncLocalStorageContextManager
  implements SpanProcessor
{
  #recorded = 0;

  /** The active context. A timer or batch that outlives the span of its request is in no trace. */
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
    const entered = recordingSpan(context) === null ? ROOT_CONTEXT : context;
    if (entered === this.active()) return work.apply(thisArgument, parameters);
    return super.with(entered, work, thisArgument, ...parameters);
  }

  onStart(): void {
    this.#recorded += 1;
  }

  onEnd(): void {
    this.#recorded -= 1;
    if (this.#recorded === 0 && !isStorageCheap) this.disable();
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}
