import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import type { DomainServices } from '../../domain/deps.js';
import { startArtist } from '../../domain/studio/artist-days.js';
import type { ArtistRecord } from '../../domain/studio/artists.js';
import { studioToday } from '../../domain/studio/settings.js';
import { readStudioWeek, type StudioWeek } from '../../domain/studio/week.js';
import { noSuchDate } from '../../domain/studio/words.js';
import { ServiceError } from '../../errors.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { Field } from '../../web/field.js';
import { form, type PageScope, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { showsDone } from '../console-page.js';
import { hasMistakes, type RefusedWeek, refuseArtistDays, shownDays } from '../hours/save-week.js';
import { readDays, storedDay, type TypedDay, weekFields } from '../hours/week-fields.js';
import { WeekForm } from '../hours/week.js';
import { linkToArtist, linkToStart } from '../links.js';
import { actorOf } from '../session.js';
import { artistInPath, findRecord } from './artist-page.js';

const messages = { added: 'Added. People can book them once you have saved their first day.' };

const lastBeforeFirst = 'Nothing was saved: that is after their last day.';

interface StartPageProps {
  artist: ArtistRecord;
  studio: StudioWeek;
  refused: RefusedWeek;
  firstDay: string;
  mistake: string | undefined;
}

/** The week and the first day of a new artist, whom people can book once it is saved. */
function StartPage({ artist, studio, refused, firstDay, mistake }: StartPageProps): VNode {
  return (
    <WeekForm
      {...refused}
      action={linkToStart(artist.slug)}
      days={shownDays(studio, artist)}
      usual="as the studio"
      off="not here"
      buttons={<button>Let people book them</button>}
    >
      <Field name="first_day" label="First day" type="date" value={firstDay} mistake={mistake} />
      <p class="muted">
        Their week begins as the studio’s. A day that you change becomes theirs; without times it
        has the studio’s hours. It can be changed later, too.
      </p>
    </WeekForm>
  );
}

/** `/console/artists/…/start`: shows the week and the first day of a new artist, and saves them. */
export function registerStart(scope: PageScope, context: DomainServices): void {
  const shown = { schema: { ...artistInPath, ...showsDone } };
  scope.get('/console/artists/:slug/start', shown, async ({ params }, reply) =>
    show(reply, await findRecord(context, params.slug)),
  );

  const saving = { schema: { ...artistInPath, ...form({ first_day: text, ...weekFields }) } };
  scope.post('/console/artists/:slug/start', saving, async (request, reply) => {
    const artist = await findRecord(context, request.params.slug);
    if (!artist.is_new) return seeOther(reply, linkToArtist(artist.slug));
    const { first_day: firstDay, agreed } = request.body;
    // All days must still be as they were shown.
    const typed = readDays(request.body).map((day) => ({ ...day, isChanged: true }));
    if (!isCalendarDate(firstDay)) {
      const refused = { status: 400, trouble: hasMistakes, typed };
      return show(reply, artist, refused, firstDay, noSuchDate);
    }
    const studio = await readStudioWeek(context);
    const refused = refuseArtistDays({ typed, studio, artist, agreed });
    if (refused !== null) return show(reply, artist, refused, firstDay);
    const isAsStudio = ({ weekday, sessions }: TypedDay) =>
      studio.week.some((day) => day.weekday === weekday && day.sessions.join() === sessions.join());
    const own = typed
      .filter((day) => !day.isUsual && !(day.wasUsual && day.hours === null && isAsStudio(day)))
      .map(storedDay);
    const start = { week: own.length === 0 ? null : own, firstDay };
    const started = await startArtist(context, actorOf(request), artist.slug, start);
    if (started.outcome === 'not_found') throw new ServiceError('not_found');
    if (started.outcome === 'last_before_first') {
      return show(reply, artist, { status: 400, trouble: lastBeforeFirst, typed }, firstDay);
    }
    return seeOther(reply, `${linkToArtist(artist.slug)}?done=started`);
  });

  async function show(
    reply: FastifyReply,
    artist: ArtistRecord,
    refused: RefusedWeek = {},
    typedDay?: string,
    mistake?: string,
  ): Promise<FastifyReply> {
    if (!artist.is_new) return seeOther(reply, linkToArtist(artist.slug));
    const studio = await readStudioWeek(context);
    const firstDay = typedDay ?? artist.first_day ?? (await studioToday(context));
    return reply.showPage({
      ...{ status: refused.status, trouble: refused.trouble },
      section: 'studio',
      title: `The week and the first day of ${artist.name}`,
      messages,
      children: StartPage({ artist, studio, refused, firstDay, mistake }),
    });
  }
}
