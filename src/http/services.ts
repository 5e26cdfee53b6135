import type { DomainServices } from '../domain/deps.js';
import type { LiveStream } from './live-stream/live-stream.js';

/** The services of HTTP handlers. */
export interface HttpServices extends DomainServices {
  liveStream: LiveStream;
}
