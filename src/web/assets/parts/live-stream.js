const streamUrl = '/api/public/events';
/** The server sends a heartbeat every 15 s. */
const silenceTimeoutMs = 40_000;
const retryMs = { first: 1_000, most: 60_000 };

/**
 * Follows the live stream while the page is visible, and connects again where the browser does not.
 * `received` gets each event (`availability`, `pulse`, `heartbeat`), `lost` is called while there is no
 * connection, and as soon as the browser says that it is offline.
 * @param {{ received: (event: MessageEvent<string>) => void, lost: () => void }} listener
 */
export function followStream({ received, lost }) {
  /** @type {EventSource | null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  let failures = 0;
  /** When the stream was opened or sent its last event, by the monotonic clock. */
  let lastEventAt = 0;

  connectWhileVisible();
  setInterval(checkSilence, 1_000);
  addEventListener('online', connectWhileVisible);
  // The connection may stay open, and silent, for a while.
  addEventListener('offline', lost);
  document.addEventListener('visibilitychange', connectWhileVisible);

  /** Connects to the stream while the page is visible, and disconnects while it is hidden. */
  function connectWhileVisible() {
    disconnect();
    if (document.visibilityState === 'visible') connect();
  }

  function disconnect() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  function connect() {
    lastEventAt = performance.now();
    source = new EventSource(streamUrl);
    for (const name of ['availability', 'pulse', 'heartbeat']) {
      source.addEventListener(name, (event) => {
        lastEventAt = performance.now();
        failures = 0;
        received(event);
      });
    }
    source.addEventListener('error', () => {
      lost();
      // The browser does not reconnect after a response that is not a stream (429, 503).
      if (source?.readyState === EventSource.CLOSED) reconnectLater();
    });
  }

  /** Exponential backoff with jitter. */
  function reconnectLater() {
    disconnect();
    const most = Math.min(retryMs.most, retryMs.first * 2 ** failures);
    failures += 1;
    retry = setTimeout(connect, most / 2 + Math.random() * (most / 2));
  }

  function checkSilence() {
    if (source === null || performance.now() - lastEventAt <= silenceTimeoutMs) return;
    lost();
    reconnectLater();
  }
}
