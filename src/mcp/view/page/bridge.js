/** JSON-RPC 2.0 with the host, the parent of this window (MCP Apps, version 2026-01-26). */

/** @type {Map<unknown, { resolve: (result: unknown) => void, reject: (error: Error) => void }>} */
const pendingRequests = new Map();
let lastId = 0;

/**
 * Calls the handler of each request and notification of the host; a request gets what it returns.
 * @param {Record<string, (params: Record<string, unknown>) => void>} handlers by method
 */
export function listenToHost(handlers) {
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = data;
    if (typeof method !== 'string') {
      if (error === undefined) pendingRequests.get(id)?.resolve(result);
      else pendingRequests.get(id)?.reject(new Error('refused by the host'));
      return;
    }
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    handler?.(recordOf(params));
    if (id === undefined) return;
    if (handler !== undefined) send({ id, result: {} });
    else send({ id, error: { code: -32601, message: 'The view has no such method.' } });
  });
}

/**
 * Resolves with the result; rejects if the host refuses, or has not answered within `timeoutMs`.
 * @param {string} method
 * @param {Record<string, unknown>} params
 * @param {number} [timeoutMs]
 * @returns {Promise<Record<string, unknown>>}
 */
export async function request(method, params, timeoutMs) {
  lastId += 1;
  const id = lastId;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  try {
    return recordOf(
      await new Promise((resolve, reject) => {
        pendingRequests.set(id, { resolve, reject });
        if (timeoutMs !== undefined) {
          timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
        }
        send({ id, method, params });
      }),
    );
  } finally {
    clearTimeout(timer);
    pendingRequests.delete(id);
  }
}

/**
 * @param {string} method
 * @param {Record<string, unknown>} params
 */
export function notify(method, params) {
  send({ method, params });
}

/** @param {Record<string, unknown>} message */
function send(message) {
  // The parent's origin is unknown. Only the host is the parent of a view.
  parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
}

/**
 * The value if it is an object, or else an object without members.
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
export function recordOf(value) {
  return typeof value === 'object' && value !== null
    ? /** @type {Record<string, unknown>} */ (value)
    : {};
}
