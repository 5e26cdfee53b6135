type PostalAddress = Record<
  'name' | 'street' | 'city' | 'region' | 'postal_code' | 'country',
  string
>;

/** A link to the studio's address on a map: a Google Maps URL, which every device opens. */
export function mapLink(studio: PostalAddress): string {
  const { name, street, city, region, postal_code, country } = studio;
  const link = new URL('https://www.google.com/maps/search/?api=1');
  link.searchParams.set(
    'query',
    `${name}, ${street}, ${city}, ${region} ${postal_code}, ${country}`,
  );
  return link.href;
}
