const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID (RFC 9562, section 4): without `urn:uuid:`, in either case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
