import type { ComponentChildren, VNode } from 'preact';
import type { HistoryEntry } from '../../domain/booking-history.js';
import type { News, NewsItem } from '../../domain/news.js';
import type { MailOverview } from '../../repositories/mail-admin.js';
import type { Session } from '../../schedule/words.js';
import { PersonLink, personName } from '../bookings/words.js';
import { bookingsPath, linkToMails } from '../links.js';
import { mailKindWords } from '../mail/mail-page.js';
import { Moment, ShortDayAndHours } from '../moment.js';

interface NewsListProps {
  news: News;
  today: string;
}

/** What has happened since the reader last looked, then what else has since yesterday. */
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
      {mail.recipient === 'studio' ? (
        'the studio'
      ) : (
        <bdi>{personName({ name: mail.booking_name })}</bdi>
      )}
      .
    </>
  );
}

type BookingItem = Exclude<NewsItem, { mail: unknown }>;

function Happening({ entry, session, booking, today }: BookingItem & { today: string }): VNode {
  return <>{sentence(entry, <PersonLink booking={booking} />, session, today)}.</>;
}

/** What happened, with the person that it is about. */
function sentence(
  entry: HistoryEntry,
  person: VNode,
  session: Session,
  today: string,
): ComponentChildren {
  const when = <ShortDayAndHours of={session} known={today} />;
  const isByPerson = entry.by === 'person';
  switch (entry.what) {
    case 'confirmed':
      return (
        <>
          {person} booked {when}
        </>
      );
    case 'added':
      return (
        <>
          {person} was added: {when}
        </>
      );
    case 'moved':
      return (
        <>
          {person} {isByPerson ? 'moved' : 'was moved'} from{' '}
          <ShortDayAndHours of={entry.from} known={today} /> to {when}
        </>
      );
    case 'cancelled':
      return isByPerson ? (
        <>
          {person} cancelled {when}
        </>
      ) : (
        <>
          {person} was cancelled: {when}
        </>
      );
    default:
      return (
        <>
          Your calendar is busy when {person} is booked: {when}
        </>
      );
  }
}
