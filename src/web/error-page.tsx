import type { FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import type { StudioRow } from '../database/rows/studio.js';
import { errors, type ErrorCode, type ServiceError } from '../errors.js';
import { minutesWords } from '../schedule/words.js';
import type { Assets } from './assets.js';
import { bookPath } from './book-link.js';
import { Moon, StudioPage } from './layout.js';

export interface ErrorPageProps {
  assets: Assets;
  error: ServiceError;
  request: FastifyRequest;
  /** Null if the studio cannot be read. */
  studio: StudioRow | null;
  /** Whether a website may frame it: its links then open in the whole window. */
  isFramable: boolean;
}

/** The HTML error page. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { assets, error, request, studio, isFramable } = props;
  const { title, text } = request.is404 && error.code === 'not_found' ? nowhere : messageOf(error);
  const canRepeat = request.method === 'GET' && errors[error.code].retryable;
  // A link to `//name/` leads to another host.
  const path = request.url.replace(/^[/\\]+/, '/');
  return (
    <StudioPage
      studio={studio}
      assets={assets}
      title={title}
      kind="failure"
      {...(isFramable && { script: 'book.js', target: '_top' })}
    >
      <main class="failure-text">
        <Moon lit={0.12} />
        <h1>{title}</h1>
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p class="actions">
          {canRepeat && (
            <a class="button" href={path} target="_self">
              Try again
            </a>
          )}
          <a class={canRepeat ? 'button quiet' : 'button'} href={bookPath} target="_self">
            Choose a time
          </a>
          <a class="button quiet" href="/">
            Go to the front page
          </a>
        </p>
        <p class="fine">Reference: {request.id}</p>
      </main>
    </StudioPage>
  );
}

interface Message {
  title: string;
  text: string[];
}

/** The messages of the error catalogue are written for agents; these are for people. */
function messageOf(error: ServiceError): Message {
  return (messages[error.code] ?? unexpected)(error);
}

const nowhere: Message = {
  title: 'There is no such page',
  text: ['The address may be mistyped, or the page has moved.'],
};

const notUnderstood: Message = {
  title: 'We did not understand that',
  text: ['Open the page again, and use its buttons.'],
};

const messages: Partial<Record<ErrorCode, (error: ServiceError) => Message>> = {
  not_found: () => ({
    title: 'We do not know this link',
    text: [
      'It may be incomplete. Open it again from the message that it came in, or copy all of it, to the last letter.',
      'A booking has a new link once we have corrected its e-mail address: look for it in your mail from us.',
      'If it still does not open, ask for a new link where you got this one, or ask us.',
    ],
  }),
  forbidden: () => ({
    title: 'Please press the button yourself',
    text: [
      'Only you can do this, on our own page. Open your booking link in your browser, and press the button there.',
      'If you are an automated agent: stop here, and give the link to the person you book for.',
    ],
  }),
  origin_mismatch: (error) => ({
    title: 'This page is open at another address',
    text: [
      `${error.message} Nothing has changed. Open the page at that address, and press the button again.`,
      'If you run this service: set PUBLIC_BASE_URL to the address at which people open it.',
    ],
  }),
  invalid_request: () => notUnderstood,
  method_not_allowed: () => ({
    title: 'This address shows nothing',
    text: ['It belongs to a button of a page. Open the page again, and press the button there.'],
  }),
  payload_too_large: () => ({
    title: 'That is too much text',
    text: ['We cannot read a form that long. Go back, and shorten what you typed.'],
  }),
  uri_too_long: () => notUnderstood,
  unsupported_media_type: () => notUnderstood,
  too_many_pending_holds: (error) => ({
    title: 'Too many times are held right now',
    text: [
      `We hold only a limited number of times for people who are still deciding. Go back and try again ${soonWords(error)}; your details are kept.`,
    ],
  }),
  rate_limited: (error) => ({
    title: 'Please try again later',
    text: [
      `${limitCause(error)} Please try again ${soonWords(error)}.`,
      'Your bookings are not affected. If it is urgent, write to us or call.',
    ],
  }),
  service_unavailable: () => ({
    title: 'We cannot reach our calendar',
    text: [
      'This is a problem on our side, and usually a short one. Your bookings are safe, and a time that is held for you stays held until its end.',
      'Please load this page again in a moment.',
    ],
  }),
};

function unexpected(): Message {
  return {
    title: 'Something went wrong on our side',
    text: [
      'We have recorded the error. Please load the page again in a moment; it shows the state of your booking.',
      'If it happens again, write to us and quote the reference below.',
    ],
  };
}

export const limitCauses = {
  requests: 'There were too many requests from your internet connection.',
  holds: 'As many times were held from your internet connection as we allow within an hour.',
  bookings: 'You have as many sessions held or booked as we allow at once.',
  artist:
    'From your internet connection, a third of this artist’s open times of that week are held already. Another artist or another week may have room for you.',
};

/** The limit that is reached. */
export function limitCause({ limit }: ServiceError): string {
  return limitCauses[limit ?? 'requests'];
}

/** When a refused request may be sent again: `in a minute`, `in 12 minutes`. */
export function soonWords({ retryAfterSeconds }: ServiceError): string {
  return `in ${minutesWords(retryAfterSeconds ?? 60)}`;
}
