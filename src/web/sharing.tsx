import type { VNode } from 'preact';
import type { DayOfWeek, TattooParlor, WithContext } from 'schema-dts';
import type { StudioRow } from '../database/rows/studio.js';
import { mapLink } from '../schedule/addresses.js';
import type { BookableDay, DatedHours } from '../schedule/bookable-week.js';
import { endOfDay } from '../schedule/slots.js';
import { bookPath } from './book-link.js';

export interface SharingProps extends StructuredDataProps {
  /** The page's path, under which it is shared. */
  path: string;
}

/**
 * Data of a page for search engines, chats and assistants: Open Graph (ogp.me) and JSON-LD. The content
 * security policy allows the script element, as browsers run no data block.
 */
export function Sharing(props: SharingProps & { title: string; description: string }): VNode {
  const { title, description, path, studio, publicBaseUrl } = props;
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={`${publicBaseUrl}${path}`} />
      <meta property="og:site_name" content={studio.name} />
      <meta property="og:locale" content="en_US" />
      <meta property="og:image" content={`${publicBaseUrl}/share.png`} />
      <meta property="og:image:alt" content="The moon, waxing in five phases" />
      <meta name="twitter:card" content="summary_large_image" />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: jsonForScript(structuredData(props)) }}
      />
    </>
  );
}

interface StructuredDataProps {
  studio: StudioRow;
  week: readonly BookableDay[];
  dated: readonly DatedHours[];
  publicBaseUrl: string;
}

/** By ISO weekday, from 1. */
const days = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const satisfies DayOfWeek[];

/** The studio, its hours and how to book, in the vocabulary of schema.org (JSON-LD 1.1). */
function structuredData(props: StructuredDataProps): object {
  const { studio, week, dated, publicBaseUrl } = props;
  return {
    '@context': 'https://schema.org',
    '@type': 'TattooParlor',
    name: studio.name,
    description: studio.description,
    url: `${publicBaseUrl}/`,
    sameAs: studio.website,
    telephone: studio.phone,
    email: studio.email,
    address: {
      '@type': 'PostalAddress',
      streetAddress: studio.street,
      addressLocality: studio.city,
      addressRegion: studio.region,
      postalCode: studio.postal_code,
      addressCountry: studio.country,
    },
    hasMap: mapLink(studio),
    openingHoursSpecification: [
      ...week.filter(({ opens }) => opens !== null).map(hoursOf),
      ...dated.flatMap(({ from, to, days: changed }) =>
        changed.map((day) => ({
          ...{ ...hoursOf(day), validFrom: from },
          ...(to !== null && { validThrough: to }),
        })),
      ),
    ],
    potentialAction: {
      '@type': 'ReserveAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: `${publicBaseUrl}${bookPath}`,
        actionPlatform: [
          'https://schema.org/DesktopWebPlatform',
          'https://schema.org/MobileWebPlatform',
        ],
      },
      result: { '@type': 'Reservation', name: 'Tattoo session' },
    },
  } satisfies WithContext<TattooParlor>;
}

/** Search engines take midnight as the end of the day, and a day that ends when it begins as closed. */
function hoursOf({ weekday, opens, closes }: BookableDay) {
  return {
    '@type': 'OpeningHoursSpecification' as const,
    dayOfWeek: days[weekday - 1] ?? 'Monday',
    opens: opens ?? '00:00',
    closes: closes === null || closes === endOfDay ? '00:00' : closes,
  };
}

/** JSON as the content of a script element, which no text in it can end: it has no `<`. */
function jsonForScript(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
