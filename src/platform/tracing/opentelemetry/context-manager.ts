import { ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { recordingSpan } from './span-context.js';

type Work<Args extends unknown[], Result> = (...args: Args) => Result;

/**
 * Enters AsyncLocalStorage only for a span that is recorded: what is not sampled then runs as it does
 * without tracing.
 */
export class RecordedContextManager extends AsyncLocalStorageContextManager {
  override with<Args extends unknown[], Work_ extends Work<Args, ReturnType<Work_>>>(
    context: Context,
    work: Work_,
    thisArgument?: ThisParameterType<Work_>,
    ...args: Args
  ): ReturnType<Work_> {
    const entered = recordingSpan(context) === null ? ROOT_CONTEXT : context;
    if (entered === this.active()) return work.apply(thisArgument, args);
    return super.with(entered, work, thisArgument, ...args);
  }
}
