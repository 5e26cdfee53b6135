/** Where the console begins. */
export const home = '/console';

/** A page of the console, but no link that signs in. Its path is plain: no escapes, no dots, no `//`. */
const pagePattern = /^\/console(?!\/sign-in(?:\/|\?|$))(?:\/[\w:-]+)*(?:\?[\w=&.:%+-]*)?$/;
const maxLength = 500;

/** The page of the console that a person asked for before they signed in. Any other address is `home`. */
export function nextAddress(asked: unknown): string {
  const isPage = typeof asked === 'string' && asked.length <= maxLength && pagePattern.test(asked);
  return isPage ? asked : home;
}
