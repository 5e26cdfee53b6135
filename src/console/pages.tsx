import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../domain/deps.js';
import type { Assets } from '../web/assets.js';
import { choice, query, text, uuid } from '../web/forms.js';
import { sendPrivatePage } from '../web/send-page.js';
import { ConsolePage, type ConsolePageProps } from './console-page.js';
import { CsrfToken } from './form.js';
import { OpeningHours } from './session-hours.js';

export interface ShownPage extends Omit<ConsolePageProps, 'assets' | 'studio' | 'sessionName'> {
  /** 200 unless given. */
  status?: number;
}

/** How a request ended: its status, and what its page says. */
export type Outcome = Pick<ShownPage, 'status' | 'done' | 'trouble'>;

/** Sends a page of the console to the session of the request. */
export type ShowPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: ShownPage,
) => Promise<FastifyReply>;

export function createConsolePages(context: DomainServices, assets: Assets): ShowPage {
  return async (request, reply, { status = 200, ...page }) => {
    const { studio, openingHours } = await context.board.read();
    const sessionName = request.consoleSession?.name ?? '';
    return sendPrivatePage(
      request,
      reply,
      status,
      <CsrfToken.Provider value={reply.generateCsrf()}>
        <OpeningHours.Provider value={openingHours}>
          <ConsolePage {...page} assets={assets} studio={studio} sessionName={sessionName} />
        </OpeningHours.Provider>
      </CsrfToken.Provider>,
    );
  };
}

/** The schema of an address that may name what has just been done. */
export const showsDone = query({ done: text, mailed: choice('yes', 'no') });

const mailedWords = { yes: ' They get a mail.', no: ' They get no mail.' };

/** What has just been done, which the address names, and whether it is mailed; null without it. */
export function doneMessage(
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
