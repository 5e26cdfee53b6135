import type { DomainServices } from '../domain/deps.js';
import type { LiveStream } from './live-stream/live-stream.js';

/** Everything that an HTTP operation may use. */
export interface HttpServices extends DomainServices {
  /** The streams that this process serves. */
  liveStream: LiveStream;
}
