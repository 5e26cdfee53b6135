/** Calls of the studio's tools, and their results, which may be of any form. */
import { recordOf, request } from './bridge.js';

/**
 * @typedef {import('../../../../generated/schemas.js').Availability} Availability
 * @typedef {import('../../../../generated/schemas.js').Hold} Hold
 * @typedef {import('../../../../generated/schemas.js').Booking} Booking
 * @typedef {import('../../../../generated/schemas.js').Alternative} Alternative
 * @typedef {import('../../../../generated/schemas.js').Studio} Studio
 * @typedef {{ date: string, time_slot: string, ends_at?: string | null | undefined, artist?: { name: string } | undefined }} Slot
 */

/**
 * `code` is empty where no answer came, or none that can be read.
 * @typedef {object} Refusal
 * @property {string} code
 * @property {{ path: string, message: string }[]} details
 * @property {Alternative[]} alternatives
 * @property {number | null} retryAfterSeconds
 */

/**
 * @typedef {{ times: Availability } | { studio: Studio } | { hold: Hold } | { booking: Booking } | { refusal: Refusal }} Answer
 */

/**
 * @param {'get_studio_info' | 'list_open_times' | 'hold_slot' | 'get_booking_status'} name
 * @param {Record<string, unknown>} args
 * @returns {Promise<Answer>} never rejects
 */
export async function callTool(name, args) {
  try {
    return readAnswer(await request('tools/call', { name, arguments: args }, 30_000));
  } catch {
    return { refusal: readRefusal({}) };
  }
}

/**
 * Recognizes a result by its members: a host need not say which tool it has called.
 * @param {Record<string, unknown>} result
 * @returns {Answer}
 */
export function readAnswer({ content, structuredContent, isError }) {
  const text = Array.isArray(content) ? recordOf(content[0])['text'] : undefined;
  const data = recordOf(isError === true ? undefined : (structuredContent ?? parseJson(text)));
  if (hasTexts(data, 'timezone', 'from', 'to') && Array.isArray(data['days'])) {
    return { times: /** @type {Availability} */ (/** @type {unknown} */ (data)) };
  }
  if (hasTexts(data, 'name', 'description', 'timezone')) {
    return { studio: /** @type {Studio} */ (/** @type {unknown} */ (data)) };
  }
  if (hasTexts(data, 'id', 'date', 'time_slot', 'timezone', 'label', 'created_at', 'expires_at')) {
    const booking = /** @type {unknown} */ (data);
    return hasTexts(data, 'checkout_url', 'server_time')
      ? { hold: /** @type {Hold} */ (booking) }
      : { booking: /** @type {Booking} */ (booking) };
  }
  return { refusal: readRefusal(recordOf(recordOf(parseJson(text))['error'])) };
}

/**
 * @param {Record<string, unknown>} error
 * @returns {Refusal}
 */
function readRefusal({ code, details, alternatives, retry_after_seconds: seconds }) {
  return {
    code: typeof code === 'string' ? code : '',
    details: Array.isArray(details) ? details : [],
    alternatives: Array.isArray(alternatives) ? alternatives : [],
    retryAfterSeconds: typeof seconds === 'number' ? seconds : null,
  };
}

/**
 * @param {Record<string, unknown>} data
 * @param {string[]} members
 */
function hasTexts(data, ...members) {
  return members.every((member) => typeof data[member] === 'string');
}

/** @param {unknown} text */
function parseJson(text) {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
