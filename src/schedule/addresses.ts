export const addressMembers = ['street', 'city', 'region', 'postal_code', 'country'] as const;

export type AddressMember = (typeof addressMembers)[number];

export type PostalAddress = Record<AddressMember, string>;

/** An address, and the date from which it counts until the next one does. */
export interface DatedAddress extends PostalAddress {
  from_date: string;
}

/** The address of a date. `addresses` are in their order. */
export function addressOf(addresses: readonly DatedAddress[], date: string): DatedAddress {
  const address = addresses.findLast(({ from_date }) => from_date <= date) ?? addresses[0];
  if (address === undefined) throw new Error('the studio has no address');
  return address;
}

/** The studio at its address of a date. */
export function studioOn<Studio extends PostalAddress>(
  { studio, addresses }: { studio: Studio; addresses: readonly DatedAddress[] },
  date: string,
): Studio {
  const { from_date: _, ...address } = addressOf(addresses, date);
  return { ...studio, ...address };
}

export function isSameAddress(one: PostalAddress, other: PostalAddress): boolean {
  return addressMembers.every((member) => one[member] === other[member]);
}

/** The addresses with an additional one, which replaces that of the same date. */
export function withAddress(
  addresses: readonly DatedAddress[],
  address: DatedAddress,
): DatedAddress[] {
  const others = addresses.filter(({ from_date }) => from_date !== address.from_date);
  const next = others.findIndex(({ from_date }) => from_date > address.from_date);
  return others.toSpliced(next === -1 ? others.length : next, 0, address);
}

/** The addresses that count only after a date. */
export function addressesAfter(addresses: readonly DatedAddress[], date: string): DatedAddress[] {
  return addresses.filter(({ from_date }) => from_date > date);
}

/** `addressesAfter` without those that are the same as the one before. */
export function newAddressesAfter(
  addresses: readonly DatedAddress[],
  date: string,
): DatedAddress[] {
  const differing = addresses.filter((address, index) => {
    const former = addresses[index - 1];
    return former !== undefined && !isSameAddress(address, former);
  });
  return addressesAfter(differing, date);
}

/** The address of a date, if it is another one than today's and counts only later; null otherwise. */
export function newAddressOn(
  { addresses, today }: { addresses: readonly DatedAddress[]; today: string },
  date: string,
): DatedAddress | null {
  const address = addressOf(addresses, date);
  const isNew = address.from_date > today && !isSameAddress(address, addressOf(addresses, today));
  return isNew ? address : null;
}

/** `418 SE Alder Row, Portland, OR 97214`. */
export function addressWords({ street, city, region, postal_code }: PostalAddress): string {
  return `${street}, ${city}, ${region} ${postal_code}`;
}

/** A link to the studio's address on a map: a Google Maps URL, which every device opens. */
export function mapLink(studio: PostalAddress & { name: string }): string {
  const link = new URL('https://www.google.com/maps/search/?api=1');
  const { name, country } = studio;
  link.searchParams.set('query', `${name}, ${addressWords(studio)}, ${country}`);
  return link.href;
}
