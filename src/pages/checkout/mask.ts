/**
 * Contact details as the checkout page shows them: enough to recognise one's own, too little to
 * use, since link previews keep what a GET shows.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}•••${email.slice(at)}`;
}

export function maskPhone(phone: string | null): string {
  return phone === null ? '' : `•••${phone.slice(-4)}`;
}
