import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import type { CalendarState } from '../../board/board.js';
import type { CalendarServices } from '../../board/services.js';
import {
  changesBetween,
  listRecentChanges,
  type SlotChange,
} from '../../domain/booking/recent-changes.js';
import type { DomainServices } from '../../domain/deps.js';
import { LanguageContext } from '../../locales/context.js';
import type { Language } from '../../locales/language.js';
import { singleFlight } from '../../platform/concurrency.js';
import type { Assets } from '../../web/assets.js';
import { languageOf } from '../../web/language.js';
import { addVary, encodeAll, encodeAndSend, type Encoded } from '../../web/representation.js';
import { encodePublicPage, type PublicPage, sendPublicPage } from '../../web/send-page.js';
import { type Guide, guideType } from '../guide/guide.js';
import { DashboardPage } from './dashboard-page.js';
import { Present } from './present.js';

/** The shortest interval between renderings; other requests wait for the next one. */
const renderIntervalMs = 200;

interface RenderedPage {
  version: number;
  page: PublicPage;
  /** The part as sent; it has the tag of the page. */
  present: Encoded;
}

type PageReader = (state: CalendarState) => Promise<RenderedPage>;

/**
 * The dashboard and the part of it that changes, rendered once per state and language for all viewers.
 * Clients that prefer Markdown get the guide for agents at the dashboard's address.
 */
export function registerDashboard(
  app: FastifyInstance,
  context: DomainServices,
  assets: Assets,
  guide: Guide,
): void {
  const changes = trackRecentChanges(context);
  const readers = new Map<Language, PageReader>();

  function readerIn(language: Language): PageReader {
    const reader = readers.get(language) ?? createReader(language);
    readers.set(language, reader);
    return reader;
  }

  function createReader(language: Language): PageReader {
    let rendered: RenderedPage | null = null;
    let renderedAt = -Infinity;
    const render = singleFlight(async (): Promise<RenderedPage> => {
      const waitMs = renderedAt + renderIntervalMs - performance.now();
      if (waitMs > 0) await setTimeout(waitMs);
      const state = await context.board.read();
      if (rendered?.version === state.version) return rendered;
      const latest = await changes.read();
      renderedAt = performance.now();
      const { holdLifetimeSeconds, publicBaseUrl } = context.config;
      const props = { assets, state, changes: latest, holdLifetimeSeconds, publicBaseUrl };
      const present = renderToString(
        <LanguageContext.Provider value={language}>
          <Present {...props} />
        </LanguageContext.Provider>,
      );
      rendered = {
        version: state.version,
        page: await encodePublicPage(language, <DashboardPage {...props} />),
        present: await encodeAll(Buffer.from(present), 'fast'),
      };
      return rendered;
    });
    return async ({ version }) => (rendered?.version === version ? rendered : render());
  }

  for (const [url, part] of [
    ['/', 'page'],
    ['/present', 'present'],
  ] as const) {
    app.get(url, async (request, reply) => {
      if (part === 'page') {
        addVary(reply, 'accept');
        if (request.accepts().type(['html', guideType]) === guideType) {
          reply.header('cache-control', 'no-cache').type(`${guideType}; charset=utf-8`);
          return encodeAndSend(request, reply, Buffer.from(await guide()));
        }
      }
      const state = await context.board.read();
      const current = await readerIn(languageOf(request))(state);
      if (part === 'page') return sendPublicPage(request, reply, current.page);
      reply.header('x-robots-tag', 'noindex');
      return sendPublicPage(request, reply, { ...current.page, encoded: current.present });
    });
  }
}

export interface RecentChanges {
  /** Newest first. */
  read(): Promise<readonly SlotChange[]>;
}

const maxChanges = 8;

/**
 * The latest changes of the calendar, derived from successive states of the board, so that they always
 * agree with it. Those before the start are read from the database, once.
 */
function trackRecentChanges(
  context: Pick<CalendarServices, 'board' | 'clock' | 'database'>,
): RecentChanges {
  let previous: CalendarState | null = null;
  let startedAt = -Infinity;
  let seen: SlotChange[] = [];
  let earlier: SlotChange[] | null = null;

  context.board.subscribe(follow);

  function follow(state: CalendarState): void {
    if (previous === null) startedAt = context.clock.now();
    else remember(changesBetween(previous, state));
    previous = state;
  }

  function remember(changes: SlotChange[]): void {
    const newestFirst = changes.sort((one, other) => other.at - one.at);
    seen = [...newestFirst, ...seen].slice(0, maxChanges);
  }

  return {
    async read() {
      const state = await context.board.read();
      if (previous === null) follow(state);
      earlier ??= (await listRecentChanges(context)).filter(({ at }) => at < startedAt);
      return [...seen, ...earlier].slice(0, maxChanges);
    },
  };
}
