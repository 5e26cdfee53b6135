import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CalendarServices } from '../board/services.js';
import { english, type Language } from '../locales/language.js';
import { readCookie, setCookie } from './cookies.js';
import { addVary } from './representation.js';

const cookieName = 'lang';
const cookieSeconds = 365 * 24 * 3_600;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `chooseLanguages`; null for the console, and with one language: English. */
    personLanguage: Language | null;
  }
}

/** The language in which a person reads the answer. */
export function languageOf({ personLanguage }: FastifyRequest): Language {
  return personLanguage ?? english;
}

function isConsole({ url }: FastifyRequest): boolean {
  return /^\/console(?![^/?])/.test(url);
}

/**
 * Chooses the language of each page: that of its address (`?lang=es`, which the browser keeps), of the
 * browser's cookie, of `Accept-Language` (RFC 4647, 3.4), the studio's, or English. The console and its
 * failures are English.
 */
export function chooseLanguages(
  pages: FastifyInstance,
  { board, config, languages }: Pick<CalendarServices, 'board' | 'config' | 'languages'>,
): void {
  pages.decorateRequest('personLanguage', null);
  if (languages.all.length === 1) return;

  pages.addHook('onRequest', async (request, reply) => {
    if (isConsole(request)) return;
    const { lang } = (request.query ?? {}) as { lang?: unknown };
    const asked = typeof lang === 'string' ? languages.find(lang) : null;
    if (asked !== null) {
      const cookie = { name: cookieName, value: asked.tag, path: '/' };
      setCookie(reply, config.publicBaseUrl, { ...cookie, maxAgeSeconds: cookieSeconds });
    }
    const accepted = request.accepts().languages(languages.all.map(({ tag }) => tag));
    request.personLanguage =
      asked ??
      languages.find(readCookie(request, cookieName)) ??
      // Without the header, everything is accepted.
      ([undefined, '*'].includes(request.headers['accept-language']) || accepted === false
        ? null
        : languages.find(accepted)) ??
      (await ofStudio()) ??
      english;
  });

  pages.addHook('onSend', async (request, reply) => {
    if (isConsole(request) || !String(reply.getHeader('content-type')).startsWith('text/html'))
      return;
    addVary(reply, 'accept-language, cookie');
    if (reply.getHeader('cache-control') === 'no-cache') {
      reply.header('cache-control', 'private, no-cache');
    }
  });

  /** Null without a database: the page of the error is shown all the same. */
  async function ofStudio(): Promise<Language | null> {
    try {
      return languages.find((await board.read()).studio.language);
    } catch {
      return null;
    }
  }
}
