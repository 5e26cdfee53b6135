import type { VNode } from 'preact';
import type { ErrorCode, ServiceError } from '../errors.js';
import type { StudioRow } from '../repositories/studio.js';
import type { Assets } from './assets.js';
import { Colophon, Layout } from './layout.js';
import { Moon } from './moon.js';

export interface ErrorPageProps {
  assets: Assets;
  error: ServiceError;
  requestId: string;
  /** Null when even that cannot be known. */
  studio: StudioRow | null;
}

/** What a person sees instead of a page that cannot be shown. */
export function ErrorPage({ assets, error, requestId, studio }: ErrorPageProps): VNode {
  const { title, text } = sentences(error);
  return (
    <Layout
      assets={assets}
      title={studio === null ? title : `${title} – ${studio.name}`}
      kind="failure"
    >
      <div class="page">
        <header class="masthead">
          <a href="/">{studio?.name ?? 'The studio'}</a>
        </header>
        <main class="failure-text">
          <Moon lit={0.12} />
          <h1>{title}</h1>
          {text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p class="fine">Reference: {requestId}</p>
        </main>
        {studio !== null && <Colophon studio={studio} />}
      </div>
    </Layout>
  );
}

interface Sentences {
  title: string;
  text: string[];
}

/** The catalogue's own sentences speak to agents; these speak to whoever holds the phone. */
function sentences(error: ServiceError): Sentences {
  return (personal[error.code] ?? unexpected)(error);
}

const notUnderstood: Sentences = {
  title: 'We did not understand that',
  text: ['Open your booking link again, and use the buttons on the page.'],
};

const personal: Partial<Record<ErrorCode, (error: ServiceError) => Sentences>> = {
  not_found: () => ({
    title: 'We do not know this link',
    text: [
      'It may have been cut off on its way to you. Open it once more from the message that it came in, or copy it whole, to the last letter.',
      'If it still does not open, ask whoever sent it to you for a new one.',
    ],
  }),
  forbidden: () => ({
    title: 'Please press the button yourself',
    text: [
      'This can only be done by you, on our own page. Open your booking link in your browser, and press the button there.',
    ],
  }),
  invalid_request: () => notUnderstood,
  unsupported_media_type: () => notUnderstood,
  too_many_pending_holds: (error) => ({
    title: 'Too many people are deciding just now',
    text: [
      `We hold only so many times at once. Go back and try again ${soon(error)}; your details are kept.`,
    ],
  }),
  rate_limited: (error) => ({
    title: 'Please try again later',
    text: [
      `There were many requests from your connection just now, or as many sessions are booked already as we promise to one person or over one connection. Please try again ${soon(error)}.`,
      'Nothing that is booked is lost. If it cannot wait, write to us or call.',
    ],
  }),
  service_unavailable: () => ({
    title: 'We cannot reach our calendar',
    text: [
      'This is our fault and passes quickly. Nothing that you did is lost, and a time that is held for you stays held until its time is up.',
      'Please load this page again in a moment.',
    ],
  }),
};

function unexpected(): Sentences {
  return {
    title: 'Something went wrong on our side',
    text: [
      'We have made a note of it. Please load the page again in a moment; it shows what has happened and what has not.',
      'If it keeps failing, write to us and name the reference below.',
    ],
  };
}

function soon({ retryAfterSeconds }: ServiceError): string {
  if (retryAfterSeconds === undefined || retryAfterSeconds <= 60) return 'in a minute';
  return `in ${Math.ceil(retryAfterSeconds / 60)} minutes`;
}
