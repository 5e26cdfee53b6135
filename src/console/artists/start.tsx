import { type Static, Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import type { DayRow } from '../../database/rows/results.js';
import type { DomainServices } from '../../domain/deps.js';
import { startArtist } from '../../domain/studio/artist-days.js';
import { type ArtistRecord, readArtists } from '../../domain/studio/artists.js';
import {
  closedSessions,
  countingWeek,
  type DaySessions,
  sessionDays,
} from '../../domain/studio/own-weeks.js';
import { studioToday } from '../../domain/studio/settings.js';
import { readStudioWeek } from '../../domain/studio/week.js';
import { noSuchDate } from '../../domain/studio/words.js';
import { ServiceError } from '../../errors.js';
import { isCalendarDate, weekdayName } from '../../schedule/dates.js';
import { unbroken } from '../../schedule/words.js';
import { Field } from '../../web/field.js';
import { form, type PageScope, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { type Outcome, showsDone } from '../console-page.js';
import { daily, knownSessions, SessionTicks, ticks, weekdays } from '../hours/week.js';
import { linkToArtist, linkToStart } from '../links.js';
import { PostForm } from '../parts.js';
import { actorOf } from '../session.js';
import { artistInPath } from './artist-page.js';

const messages = { added: 'Added. People can book them once you have saved their first day.' };

const overtaken =
  'The week has changed since you opened this page. Nothing was saved; what you typed is below.';
const studioClosed = 'Nothing was saved yet: the studio is closed then. Save again, or change it.';
const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const lastBeforeFirst = 'Nothing was saved: that is after their last day.';

interface StartPageProps {
  artist: ArtistRecord;
  /** The week as the form shows it. */
  week: readonly DaySessions[];
  /** The week that counts, as `seen` carries it. */
  seen: string;
  firstDay: string;
  mistake?: string | undefined;
  /** The sessions at which the studio is closed; empty if there are none. */
  closed: string;
}

/** The week and the first day of a new artist, whom people can book once it is saved. */
function StartPage({ artist, week, seen, firstDay, mistake, closed }: StartPageProps): VNode {
  return (
    <PostForm action={linkToStart(artist.slug)} class="week-form" hidden={{ seen, agreed: closed }}>
      <Field name="first_day" label="First day" type="date" value={firstDay} mistake={mistake} />
      <p class="muted">Their week begins as the studio’s. It can be changed later, too.</p>
      <ol>
        {week.map(({ weekday, sessions }) => (
          <li key={weekday}>
            <div role="group" aria-labelledby={`day-${weekday}`} class="week-day">
              <p class="day-name" id={`day-${weekday}`}>
                {weekdayName(weekday)}
              </p>
              <SessionTicks name={`sessions-${weekday}`} chosen={sessions} />
              <label class="tick shut">
                <input type="checkbox" name={`off-${weekday}`} />
                not here
              </label>
            </div>
          </li>
        ))}
      </ol>
      {closed !== '' && (
        <p class="mistake">
          The studio is closed on {unbroken(closed)}. Saving again lets people book them then.
        </p>
      )}
      <button>Let people book them</button>
    </PostForm>
  );
}

const schema = form({
  first_day: text,
  seen: text,
  agreed: text,
  ...daily('sessions', ticks),
  ...daily('off', Type.Optional(text)),
});

function readWeek(posted: Static<typeof schema.body>) {
  return weekdays.map((weekday) => ({
    weekday,
    sessions:
      posted[`off-${weekday}`] === undefined
        ? knownSessions([posted[`sessions-${weekday}`]].flat())
        : [],
  }));
}

/** The week that the form has shown, with its hours. */
function seenText(week: readonly DayRow[]): string {
  return JSON.stringify(
    week.map(({ weekday, opens, closes, sessions }) => [weekday, opens, closes, ...sessions]),
  );
}

function weekText(week: readonly DaySessions[]): string {
  return JSON.stringify(week.map(({ weekday, sessions }) => [weekday, ...sessions]));
}

/** `/console/artists/…/start`: shows the week and the first day of a new artist, and saves them. */
export function registerStart(scope: PageScope, context: DomainServices): void {
  const shown = { schema: { ...artistInPath, ...showsDone } };
  scope.get('/console/artists/:slug/start', shown, async ({ params }, reply) =>
    show(reply, await find(params.slug)),
  );

  const saving = { schema: { ...artistInPath, ...schema } };
  scope.post('/console/artists/:slug/start', saving, async (request, reply) => {
    const artist = await find(request.params.slug);
    const { first_day: firstDay, seen, agreed } = request.body;
    const typed = readWeek(request.body);
    const { week: studioWeek } = await readStudioWeek(context);
    const present = countingWeek(studioWeek, artist);
    const again = (outcome: Outcome & Partial<StartPageProps>) =>
      show(reply, artist, { week: typed, firstDay, ...outcome });
    if (!artist.is_new) return seeOther(reply, linkToArtist(artist.slug));
    if (!isCalendarDate(firstDay)) {
      return again({ status: 400, trouble: hasMistakes, mistake: noSuchDate });
    }
    if (seen !== seenText(present)) return again({ trouble: overtaken });
    const closed = sessionDays(closedSessions(studioWeek, present, typed));
    if (closed !== '' && closed !== agreed) return again({ trouble: studioClosed, closed });
    const own = typed.flatMap((day) => {
      const isSame = (other: DaySessions) => weekText([day]) === weekText([other]);
      const stored = artist.week?.find(isSame);
      if (stored !== undefined) return [stored];
      return studioWeek.some(isSame) ? [] : [{ ...day, opens: null, closes: null }];
    });
    const start = { week: own.length === 0 ? null : own, firstDay };
    const started = await startArtist(context, actorOf(request), artist.slug, start);
    if (started.outcome === 'not_found') throw new ServiceError('not_found');
    if (started.outcome === 'last_before_first') {
      return again({ status: 400, trouble: lastBeforeFirst });
    }
    return seeOther(reply, `${linkToArtist(artist.slug)}?done=started`);
  });

  async function find(slug: string): Promise<ArtistRecord> {
    const artist = (await readArtists(context)).find((each) => each.slug === slug);
    if (artist === undefined) throw new ServiceError('not_found');
    return artist;
  }

  async function show(
    reply: FastifyReply,
    artist: ArtistRecord,
    { week, firstDay, mistake, closed = '', ...outcome }: Outcome & Partial<StartPageProps> = {},
  ): Promise<FastifyReply> {
    if (!artist.is_new) return seeOther(reply, linkToArtist(artist.slug));
    const present = countingWeek((await readStudioWeek(context)).week, artist);
    return reply.showPage({
      ...outcome,
      section: 'studio',
      title: `The week and the first day of ${artist.name}`,
      messages,
      children: StartPage({
        ...{ artist, mistake, closed, week: week ?? present, seen: seenText(present) },
        firstDay: firstDay ?? artist.first_day ?? (await studioToday(context)),
      }),
    });
  }
}
