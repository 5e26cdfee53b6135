import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CalendarServices } from '../board/services.js';
import { english, type Language } from '../locales/language.js';
import { setCookie } from './cookies.js';
import { addVary } from './representation.js';

const cookieName = 'lang';
const cookieSeconds = 365 * 24 * 3_600;

declare module 'fastify' {
  interface FastifyRequest {
    /** See `chooseLanguages`. */
    personLanguage: Language;
  }
}

/** The language in which a person reads the answer. */
export function languageOf({ personLanguage }: FastifyRequest): Language {
  return personLanguage;
}

/**
 * Chooses the language of each page: that of its address (`?lang=es`, which the browser keeps), of the
 * browser's cookie, of `Accept-Language`, the studio's, or English. The console and its failures are
 * English. The choice is made when a page asks for it: also for one that fails before any hook.
 */
export function chooseLanguages(
  pages: FastifyInstance,
  { board, config, languages }: Pick<CalendarServices, 'board' | 'config' | 'languages'>,
): void {
  const chosen = new WeakMap<FastifyRequest, Language>();
  let ofStudio: Language | null = null;

  pages.decorateRequest('personLanguage', {
    getter(this: FastifyRequest) {
      const language = chosen.get(this) ?? choose(this);
      chosen.set(this, language);
      return language;
    },
  });
  if (languages.all.length === 1) return;

  board.subscribe(({ studio }) => {
    ofStudio = languages.find(studio.language);
  });
  pages.addHook('onSend', async (request, reply) => {
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || isConsole(request)) return;
    const asked = askedBy(request);
    if (asked !== null) {
      const cookie = { name: cookieName, value: asked.tag, path: '/' };
      setCookie(reply, config.publicBaseUrl, { ...cookie, maxAgeSeconds: cookieSeconds });
    }
    addVary(reply, 'accept-language, cookie');
    if (reply.getHeader('cache-control') === 'no-cache') {
      reply.header('cache-control', 'private, no-cache');
    }
  });

  function choose(request: FastifyRequest): Language {
    if (languages.all.length === 1 || isConsole(request)) return english;
    const cookies = pages.parseCookie(request.headers.cookie ?? '');
    return (
      askedBy(request) ??
      languages.find(cookies[cookieName]) ??
      languages.lookup(request.accepts().languages()) ??
      ofStudio ??
      english
    );
  }

  function askedBy({ query }: FastifyRequest): Language | null {
    const { lang } = (query ?? {}) as { lang?: unknown };
    return typeof lang === 'string' ? languages.find(lang) : null;
  }
}

function isConsole({ url }: FastifyRequest): boolean {
  return /^\/console(?![^/?])/.test(url);
}
