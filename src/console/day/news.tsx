import type { VNode } from 'preact';
import type { MailOverview } from '../../database/rows/results.js';
import type { HistoryEntry } from '../../domain/studio/booking-history.js';
import { mailRecipient } from '../../domain/studio/mail-admin.js';
import type { News, NewsItem } from '../../domain/studio/news.js';
import { PersonLink } from '../bookings/words.js';
import { bookingsPath, linkToMails } from '../links.js';
import { mailKindWords } from '../mail/mail-page.js';
import { Moment, ShortDayAndHours } from '../moment.js';

interface NewsListProps {
  news: News;
  today: string;
}

/** The changes since the reader last looked, then others since yesterday. */
export function NewsList({ news, today }: NewsListProps): VNode {
  const { lastLook, items, more } = news;
  const isNew = ({ at }: NewsItem) => lastLook === null || at > lastLook;
  const [fresh, earlier] = [items.filter(isNew), items.filter((item) => !isNew(item))];
  return (
    <section class="news" aria-labelledby="news-title" data-key="news-list">
      <h2 id="news-title">Since {lastLook === null ? 'yesterday' : 'you last looked'}</h2>
      {fresh.length === 0 && (
        <p class="muted">
          Nothing new{lastLook !== null && ' since '}
          <Moment at={lastLook} />.
        </p>
      )}
      <Items items={fresh} today={today} />
      {earlier.length > 0 && <h3>Before that, since yesterday</h3>}
      <Items items={earlier} today={today} />
      {more && (
        <p class="fine">
          There is more: <a href={bookingsPath}>all bookings</a>, <a href={linkToMails({})}>mail</a>
          .
        </p>
      )}
    </section>
  );
}

function Items({ items, today }: { items: readonly NewsItem[]; today: string }): VNode {
  return (
    <ol class="log">
      {items.map((item) => (
        <li key={item.key}>
          <Moment at={item.at} />
          <span>
            {'mail' in item ? <FailedMail {...item} /> : <Happening {...item} today={today} />}
          </span>
        </li>
      ))}
    </ol>
  );
}

function FailedMail({ mail }: { mail: MailOverview }): VNode {
  const kind = mailKindWords[mail.kind].toLowerCase();
  return (
    <>
      <a href={linkToMails({ status: 'failed' })}>A mail could not be sent</a>: the {kind} to{' '}
      <bdi>{mailRecipient(mail)}</bdi>.
    </>
  );
}

type BookingItem = Exclude<NewsItem, { mail: unknown }>;

/** A change with the person that it is about. */
function Happening({ entry, session, booking, today }: BookingItem & { today: string }): VNode {
  const person = <PersonLink booking={booking} />;
  const when = <ShortDayAndHours of={session} known={today} />;
  const verb = (entry.by === 'person' ? ownVerbs : verbs)[entry.what];
  if (verb === undefined) {
    return (
      <>
        Your calendar is busy when {person} is booked: {when}.
      </>
    );
  }
  return (
    <>
      {person} {verb}{' '}
      {entry.what === 'moved' && (
        <>
          from <ShortDayAndHours of={entry.from} known={today} /> to{' '}
        </>
      )}
      {when}.
    </>
  );
}

type Verbs = Partial<Record<HistoryEntry['what'], string>>;

const verbs: Verbs = {
  confirmed: 'booked',
  added: 'was added:',
  moved: 'was moved',
  cancelled: 'was cancelled:',
};

/** The verbs for what the person has done. */
const ownVerbs: Verbs = { ...verbs, moved: 'moved', cancelled: 'cancelled' };
