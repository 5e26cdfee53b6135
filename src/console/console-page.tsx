import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import type { StudioRow } from '../database/rows/studio.js';
import type { DomainServices } from '../domain/deps.js';
import { namedArtists } from '../schedule/artists.js';
import type { Assets } from '../web/assets.js';
import { choice, type PageScope, query, text, uuid } from '../web/forms.js';
import { Layout } from '../web/layout.js';
import { sendPrivatePage } from '../web/send-page.js';
import { momentFormat, PageContext } from './moment.js';
import { CsrfToken, PostForm } from './parts.js';

/** The parts of the console, in the order of its navigation; `artist`: those for artists, too. */
export const sections = {
  today: { path: '/console', label: 'Today', artist: true },
  bookings: { path: '/console/bookings', label: 'Bookings', artist: true },
  clients: { path: '/console/clients', label: 'Clients', artist: true },
  hours: { path: '/console/hours', label: 'Hours', artist: false },
  calendars: { path: '/console/calendars', label: 'Calendars', artist: true },
  studio: { path: '/console/studio', label: 'Studio', artist: false },
  mail: { path: '/console/mail', label: 'Mail', artist: true },
  webhooks: { path: '/console/webhooks', label: 'Webhooks', artist: false },
  keys: { path: '/console/keys', label: 'Keys', artist: false },
  figures: { path: '/console/figures', label: 'Figures', artist: false },
  audit: { path: '/console/audit', label: 'Audit', artist: false },
  signIns: { path: '/console/sign-ins', label: 'Sign-ins', artist: true },
} as const;

export interface ShownPage {
  section: keyof typeof sections;
  /** The heading of the page. */
  title: string;
  /** 200 unless given, or 409 with a trouble. */
  status?: number | undefined;
  /** The message about the last change. */
  done?: string | null | undefined;
  trouble?: string | null | undefined;
  /** Messages about the last change, by the `done` of the address. */
  messages?: Readonly<Record<string, string>>;
  script?: 'console.js' | 'passkeys.js' | undefined;
  children: ComponentChildren;
}

/** How a request ended: its status and its message. */
export type Outcome = Pick<ShownPage, 'status' | 'done' | 'trouble'>;

interface ConsolePageProps extends ShownPage {
  assets: Assets;
  studio: StudioRow;
  /** Who is signed in. */
  sessionName: string;
  /** Whether it is an artist. */
  isArtist: boolean;
}

/** A page of the console: the navigation, and the work. */
function ConsolePage(props: ConsolePageProps): VNode {
  const { assets, studio, sessionName, isArtist, section, title, done, trouble, script } = props;
  // Screen readers begin with the title: it says first how a form ended.
  const documentTitle = [done ?? trouble, title, studio.name].filter((part) => part != null);
  return (
    <Layout
      assets={assets}
      title={documentTitle.join(' – ')}
      kind="console"
      stylesheet="console.css"
      script={script ?? 'console.js'}
    >
      <a class="skip" href="#work">
        Skip to the page
      </a>
      <header class="bar">
        <p class="name">
          <a href="/">{studio.name}</a>
        </p>
        <nav aria-label="Console">
          <ul>
            {shownSections(isArtist).map(([key, { path, label }]) => (
              <li key={key}>
                <a href={path} aria-current={key === section ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <PostForm action="/console/sign-out" class="who">
          <span class="muted">{sessionName}</span>
          <button class="quiet small">Sign out</button>
        </PostForm>
      </header>
      <main id="work" tabIndex={-1}>
        <h1>{title}</h1>
        {done != null && (
          <p class="done" role="status">
            {done}
          </p>
        )}
        {trouble != null && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <p class="trouble" id="ended" role="alert" hidden>
          Your session has ended. Nothing was sent, and what you typed is still here.{' '}
          <a href="/console" target="_blank">
            Sign in in another tab
          </a>
          , then press the button again.
        </p>
        {props.children}
      </main>
    </Layout>
  );
}

function shownSections(isArtist: boolean) {
  return Object.entries(sections).filter(([, { artist }]) => artist || !isArtist);
}

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a page of the console to the session of the request. */
    showPage(page: ShownPage): Promise<FastifyReply>;
  }
}

/** Adds `reply.showPage()`. */
export function decorateWithPages(
  scope: PageScope,
  { board, clock }: DomainServices,
  assets: Assets,
): void {
  scope.decorateReply('showPage', async function ({ status, messages = {}, ...page }) {
    const { request } = this;
    const state = await board.read();
    const { studio, openingHours, mode } = state;
    const isRefused = page.trouble != null;
    const shown = {
      openingHours,
      hasMail: mode.mail,
      artists: namedArtists(state),
      own: request.consoleArtist,
      now: clock.now(),
      format: momentFormat(studio.timezone, clock.now()),
    };
    return sendPrivatePage(
      request,
      this,
      status ?? (isRefused ? 409 : 200),
      <CsrfToken.Provider value={this.generateCsrf()}>
        <PageContext.Provider value={shown}>
          <ConsolePage
            {...page}
            done={page.done ?? (isRefused ? null : doneMessage(request, messages))}
            assets={assets}
            studio={studio}
            sessionName={request.consoleSession?.name ?? ''}
            // Also on an error page from before the artist was read.
            isArtist={request.consoleSession?.artist_id != null}
          />
        </PageContext.Provider>
      </CsrfToken.Provider>,
    );
  });
}

/** The schema of an address that may have a `done` message. */
export const showsDone = query({ done: text, mailed: choice('yes', 'no') });

const mailedWords = { yes: ' They get a mail.', no: ' They get no mail.' };

/** The message of the address about the last change, and whether it is mailed; null without one. */
function doneMessage(
  { query }: FastifyRequest,
  messages: Readonly<Record<string, string>>,
): string | null {
  const { done = '', mailed } = query as { done?: string; mailed?: keyof typeof mailedWords };
  const message = Object.hasOwn(messages, done) ? messages[done] : undefined;
  if (message === undefined) return null;
  return mailed === undefined ? message : `${message}${mailedWords[mailed]}`;
}

/** The schema of an address whose `:id` is a UUID. Any other address does not exist. */
export const idInPath = { params: Type.Object({ id: uuid }) };
