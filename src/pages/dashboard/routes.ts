import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import type { DomainServices } from '../../domain/deps.js';
import { singleFlight } from '../../platform/single-flight.js';
import type { Assets } from '../assets.js';
import { encodeAll, sendEncoded, type Encoded } from '../encoding.js';
import { contentSecurityPolicy } from '../send-page.js';
import { followChanges } from './changes.js';
import { DashboardPage } from './dashboard-page.js';
import { Present } from './present.js';

const headers = {
  // Kept, and asked about each time: whoever has the present state is told so in a few bytes.
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': contentSecurityPolicy,
};

/** However fast the calendar changes, it is drawn at most so often; who asks meanwhile waits. */
const drawingPauseMs = 200;

interface Drawing {
  version: number;
  page: Encoded;
  present: Encoded;
  etag: string;
}

/** The dashboard at `/`, and the part of it that changes. Drawn once per state for all viewers. */
export function registerDashboard(
  app: FastifyInstance,
  context: DomainServices,
  assets: Assets,
): void {
  const changes = followChanges(context);
  let drawing: Drawing | null = null;
  let drawnAt = -Infinity;

  const draw = singleFlight(async (): Promise<Drawing> => {
    const waitMs = drawnAt + drawingPauseMs - performance.now();
    if (waitMs > 0) await setTimeout(waitMs);
    const state = await context.board.read();
    if (drawing?.version === state.version) return drawing;
    const last = await changes.read();
    drawnAt = performance.now();
    const { holdLifetimeSeconds } = context.config;
    const props = { assets, state, changes: last, holdLifetimeSeconds };
    const page = Buffer.from(`<!doctype html>${renderToString(DashboardPage(props))}`);
    const present = Buffer.from(renderToString(Present(props)));
    drawing = {
      version: state.version,
      page: await encodeAll(page, 'once'),
      present: await encodeAll(present, 'once'),
      etag: createHash('sha256').update(page).digest('base64url').slice(0, 22),
    };
    return drawing;
  });

  for (const [url, part] of [
    ['/', 'page'],
    ['/present', 'present'],
  ] as const) {
    app.get(url, async (request, reply) => {
      const state = await context.board.read();
      const present = drawing?.version === state.version ? drawing : await draw();
      reply.headers(headers).type('text/html; charset=utf-8');
      if (part === 'present') reply.header('x-robots-tag', 'noindex');
      return sendEncoded(request, reply, present[part], present.etag);
    });
  }
}
