import type { ErrorCode, ServiceError } from '../errors.js';

interface ErrorText {
  title: string;
  text: string;
}

const notFound: ErrorText = {
  title: 'Not found',
  text: 'There is no such page. What you look for may have been erased.',
};

const texts: Partial<Record<ErrorCode, ErrorText>> = {
  not_found: notFound,
  // The id in the address is no UUID. Validation does not know of which table it would be.
  booking_not_found: notFound,
  forbidden: {
    title: 'Not done',
    text: 'This form was not of your session, or out of date. Open the page again.',
  },
  origin_mismatch: {
    title: 'Not done',
    text: 'The console is open at an address other than PUBLIC_BASE_URL, and forms work only there. Open it at that address, or set PUBLIC_BASE_URL to this one; “studio doctor” says more.',
  },
  invalid_request: {
    title: 'Not done',
    text: 'The form was incomplete or out of date. Open the page again.',
  },
  payload_too_large: { title: 'Not done', text: 'That is too much text.' },
  service_unavailable: {
    title: 'Not available',
    text: 'The service cannot answer right now. Try again in a few seconds.',
  },
};

/** What a failure says to the studio. */
export function errorText({ code }: ServiceError): ErrorText {
  return (
    texts[code] ?? {
      title: 'Something failed',
      text: 'Something failed on our side. Try again; the log of the service says more.',
    }
  );
}
