import type { FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import type { StudioRow } from '../database/rows/studio.js';
import { errors, type ErrorCode, type ServiceError } from '../errors.js';
import { useLanguage } from '../locales/context.js';
import type { Language } from '../locales/language.js';
import { wholeMinutes } from '../schedule/times.js';
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
  publicBaseUrl: string;
}

/** The HTML error page. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { assets, error, request, studio, isFramable, publicBaseUrl } = props;
  const language = useLanguage();
  const { t, rich } = language;
  const page = pageOf(error, request);
  const title = t(`error.${page}.title`);
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
        {rich(`error.${page}`, {
          address: publicBaseUrl,
          cause: limitCause(language, error),
          minutes: minutesToWait(error),
          p: (words) => <p>{words}</p>,
        })}
        <p class="actions">
          {canRepeat && (
            <a class="button" href={path} target="_self">
              {t('error.again')}
            </a>
          )}
          <a class={canRepeat ? 'button quiet' : 'button'} href={bookPath} target="_self">
            {t('error.choose_time')}
          </a>
          <a class="button quiet" href="/">
            {t('error.front_page')}
          </a>
        </p>
        <p class="fine">{t('error.reference', { id: request.id })}</p>
      </main>
    </StudioPage>
  );
}

/** The last part of the keys of each page. The messages of the catalogue of errors are for agents. */
const pages = {
  not_found: 'not_found',
  forbidden: 'forbidden',
  origin_mismatch: 'origin_mismatch',
  invalid_request: 'not_understood',
  uri_too_long: 'not_understood',
  unsupported_media_type: 'not_understood',
  method_not_allowed: 'method_not_allowed',
  payload_too_large: 'payload_too_large',
  too_many_pending_holds: 'too_many_pending_holds',
  rate_limited: 'rate_limited',
  service_unavailable: 'service_unavailable',
} as const satisfies Partial<Record<ErrorCode, string>>;

function pageOf({ code }: ServiceError, { is404 }: FastifyRequest) {
  if (is404 && code === 'not_found') return 'no_page';
  return code in pages ? pages[code as keyof typeof pages] : 'unexpected';
}

/** The limit that is reached. */
export function limitCause({ t }: Language, { limit }: ServiceError): string {
  return t(`limit.${limit ?? 'requests'}`);
}

/** When a refused request may be sent again. */
export function minutesToWait({ retryAfterSeconds }: ServiceError): number {
  return wholeMinutes(retryAfterSeconds ?? 60);
}
