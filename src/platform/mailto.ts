/** The `mailto:` URI of an e-mail address (RFC 6068), whatever characters its local part has. */
export function mailtoUri(email: string): string {
  return `mailto:${encodeURI(email).replace(/[?&#]/g, encodeURIComponent)}`;
}
