import type { StudioRow } from '../repositories/studio.js';

/**
 * Where the studio is, in whatever map the person's device opens for it ("Maps URLs" of Google Maps,
 * the one form that every phone and every browser understands).
 */
export function mapLink(studio: StudioRow): string {
  const { name, street, city, region, postal_code, country } = studio;
  const link = new URL('https://www.google.com/maps/search/?api=1');
  link.searchParams.set(
    'query',
    `${name}, ${street}, ${city}, ${region} ${postal_code}, ${country}`,
  );
  return link.href;
}
