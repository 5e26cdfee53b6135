/**
 * Masked contact details for the checkout page: recognizable to their owner, useless to others,
 * because link previews store what a GET shows.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}•••${email.slice(at)}`;
}

export function maskPhone(phone: string): string {
  return `•••${phone.slice(-4)}`;
}
