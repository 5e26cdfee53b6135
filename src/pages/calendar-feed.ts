import type { DomainServices } from '../domain/deps.js';
import { readCalendarFeed } from '../domain/studio/calendar-feeds.js';
import { feedFile } from '../icalendar/feed-file.js';
import { type PageScope, tokenInPath } from '../web/forms.js';
import { entityTag, isFresh } from '../web/representation.js';
import { privatePageHeaders } from '../web/send-page.js';
import { linkUnknown, refuseBrokenLinks } from './checkout/open-checkout.js';

const feedHeaders = {
  ...privatePageHeaders,
  // A program that has it asks each time whether it has changed.
  'cache-control': 'private, no-cache',
  'content-disposition': 'inline; filename="studio.ics"',
};

/**
 * The studio's calendar, at the secret address of a feed. The feed is looked up for each request, so
 * that an address that was replaced or removed is gone at once, at every process.
 */
export function registerCalendarFeed(
  app: PageScope,
  context: Pick<DomainServices, 'database' | 'board' | 'clock'>,
): void {
  app.get('/calendar/:token.ics', { schema: tokenInPath }, async (request, reply) => {
    const facts = await readCalendarFeed(context, request.params.token);
    if (facts === null) throw linkUnknown();
    const body = Buffer.from(feedFile(facts));
    const etag = entityTag(body);
    reply.headers(feedHeaders).header('etag', etag);
    if (isFresh(request, etag)) return reply.code(304).send();
    return reply.type('text/calendar; charset=utf-8').send(body);
  });

  refuseBrokenLinks(app, '/calendar');
  // The address without its extension.
  app.get('/calendar/:token', { schema: tokenInPath }, () => {
    throw linkUnknown();
  });
}
