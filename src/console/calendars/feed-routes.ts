import { Type } from '@sinclair/typebox';
import {
  addCalendarFeed,
  feedPath,
  removeCalendarFeed,
  rotateCalendarFeed,
  type IssuedFeed,
} from '../../domain/calendar-feeds.js';
import type { DomainServices } from '../../domain/deps.js';
import { button, form, type PageScope, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { calendarsPath, feedsPath } from '../links.js';
import { idInPath } from '../pages.js';
import { actorOf } from '../session.js';
import type { ShowCalendars } from './calendars-page.js';
import type { ShownAddress } from './feeds.js';

const feedSchema = form({ label: text, details: Type.Optional(text) });

const mistaken = 'No address was made. What is wrong is marked below.';
const alreadyRemoved = 'Nothing was done: the address had been removed before.';

/**
 * `/console/calendars/feeds`: addresses at which calendar programs read the bookings. A new one is in the
 * response to its form and nowhere else: after a redirect, the console's own address would have to name it.
 */
export function registerFeeds(
  scope: PageScope,
  context: DomainServices,
  show: ShowCalendars,
): void {
  const { publicBaseUrl } = context.config;

  scope.post(feedsPath, { schema: feedSchema }, async (request, reply) => {
    const { label, details } = request.body;
    const typed = { label: label.trim(), hasDetails: details === 'yes' };
    const added = await addCalendarFeed(context, actorOf(request), typed);
    if (added.outcome === 'refused') {
      const { field, message } = added;
      const [mistake, trouble] = field === null ? [null, message] : [message, mistaken];
      return show(request, reply, {
        outcome: { status: 400, trouble },
        refusedFeed: { typed, mistake },
      });
    }
    const outcome = { done: 'The address is made.' };
    return show(request, reply, { outcome, newAddress: shownAddress(added.issued) });
  });

  const ofOne = { schema: { ...idInPath, ...button } };
  scope.post(`${feedsPath}/:id/rotate`, ofOne, async (request, reply) => {
    const issued = await rotateCalendarFeed(context, actorOf(request), request.params.id);
    if (issued === null) {
      return show(request, reply, { outcome: { status: 409, trouble: alreadyRemoved } });
    }
    const outcome = { done: 'The address is replaced. The old one has stopped.' };
    return show(request, reply, { outcome, newAddress: shownAddress(issued) });
  });

  // Removing twice leaves what removing once does.
  scope.post(`${feedsPath}/:id/remove`, ofOne, async (request, reply) => {
    await removeCalendarFeed(context, actorOf(request), request.params.id);
    return seeOther(reply, `${calendarsPath}?done=removed`);
  });

  function shownAddress({ feed, token }: IssuedFeed): ShownAddress {
    return { feed, url: `${publicBaseUrl}${feedPath(token)}` };
  }
}
