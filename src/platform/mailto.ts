/** The `mailto:` URI of an e-mail address (RFC 6068), whatever characters its local part has. */
export function mailtoUri(email: string): string {
  const at = email.lastIndexOf('@');
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
