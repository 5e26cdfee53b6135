import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { MailKind, MailStatus } from '../../database/rows/mails.js';
import type { BookingMailOverview, MailOverview } from '../../database/rows/results.js';
import type { ListPage, MailProblems } from '../../domain/studio/lists.js';
import {
  codesUsedUp,
  explainMail,
  mailIsOff,
  mailRecipient,
  resendRefusal,
} from '../../domain/studio/mail-admin.js';
import type { Artist } from '../../schedule/artists.js';
import {
  calendarsPath,
  linkToBooking,
  linkToMails,
  type MailSelection,
  pathWith,
} from '../links.js';
import { DayAndHours, Moment, PageContext } from '../moment.js';
import { Paging } from '../paging.js';
import { PostForm, Unseen } from '../parts.js';

export interface MailPageProps {
  selection: MailSelection;
  mails: ListPage<MailOverview>;
  /** Null on pages that show a selection. */
  problems: MailProblems | null;
}

const statuses: readonly MailStatus[] = ['pending', 'sent', 'failed', 'dropped'];

/** Failed and overdue mails, then all mails, newest first. */
export function MailPage(props: MailPageProps): VNode {
  const { selection, mails, problems } = props;
  const { hasMail: isOn, now, own } = useContext(PageContext);
  const hasProblems = problems !== null && problems.mails.length > 0;
  return (
    <>
      {!isOn && (
        <p class="notice">
          {mailIsOffFor(own)}
          {own === null && ' Then start the service again.'}
        </p>
      )}
      {problems?.areCodesUsedUp === true && <p class="notice">{codesUsedUp}</p>}
      {hasProblems && (
        <section aria-labelledby="care">
          <h2 id="care">Needs care</h2>
          <p class="muted">{problemWords(problems)}</p>
          {problems.failed > 1 && (
            <PostForm action={dismissPath} hidden={{ until: now }}>
              <button class="quiet small">Dismiss all that failed</button>
            </PostForm>
          )}
          <MailList mails={problems.mails} selection={selection} />
        </section>
      )}
      <section aria-labelledby="all">
        <h2 id="all" class={hasProblems ? undefined : 'visually-hidden'}>
          {selection.status === null ? 'All mails' : mailStatusWords[selection.status]}
        </h2>
        <nav class="filter" aria-label="Status">
          {[null, ...statuses].map((status) => (
            <a
              key={status}
              href={linkToMails({ status })}
              aria-current={status === selection.status ? 'true' : undefined}
            >
              {status === null ? 'All' : mailStatusWords[status]}
            </a>
          ))}
        </nav>
        {mails.rows.length === 0 ? (
          <p class="empty">No mails.</p>
        ) : (
          <MailList mails={mails.rows} selection={selection} />
        )}
        <Paging
          list={mails}
          before={selection.before}
          positionOf={({ position }) => position}
          linkTo={(before) => linkToMails({ status: selection.status, before })}
        />
      </section>
      <p class="fine">
        A mail is listed until 30 days after it was sent, failed or was dropped; one with a code for
        a day.
      </p>
    </>
  );
}

/** Says that mail is off, and tells the owner how to switch it on. */
export function mailIsOffFor(own: Artist | null): string {
  return own === null ? mailIsOff : 'Mail is off.';
}

function problemWords({ mails, failed, overdue }: MailProblems): string {
  const parts = [
    failed > 0 && `${failed} failed within 7 days`,
    overdue > 0 && `${overdue} overdue for more than a minute`,
  ].filter((part) => part !== false);
  const shown = mails.length < failed + overdue ? ` The newest ${mails.length} are shown.` : '';
  return `${parts.join(', ')}.${shown}`;
}

interface MailListProps {
  mails: MailOverview[];
  selection: MailSelection;
}

function MailList({ mails, selection }: MailListProps): VNode {
  // A list of sent mails alone is not folded.
  const runs = selection.status === null ? runsOf(mails) : mails.map((mail) => [mail]);
  return (
    <ul class="rows mails">
      {runs.map((run) => {
        const rows = run.map((mail) => <MailRow key={mail.id} mail={mail} selection={selection} />);
        const [newest, oldest] = [run[0], run.at(-1)];
        if (newest === undefined || oldest === undefined || newest === oldest) return rows;
        return (
          <li key={newest.id} class="run">
            <details>
              <summary>
                {run.length} mails were sent, <Span of={[oldest, newest]} />
              </summary>
              <ul class="rows mails">{rows}</ul>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

/** From when to when: one moment if both have the same words. */
function Span({ of }: { of: MailOverview[] }): VNode {
  const { format } = useContext(PageContext);
  const words = new Set(of.map(({ created_at }) => format(created_at)));
  return <>{[...words].join(' to ')}</>;
}

/** The shortest run of sent mails that is shown as one line. */
const leastInRun = 3;

/** Runs of mails that went well; every other mail alone. */
function runsOf(mails: readonly MailOverview[]): MailOverview[][] {
  const runs: MailOverview[][] = [];
  for (const mail of mails) {
    const run = runs.at(-1);
    if (mail.status === 'sent' && run?.[0]?.status === 'sent') run.push(mail);
    else runs.push([mail]);
  }
  return runs.flatMap((run) => (run.length < leastInRun ? run.map((mail) => [mail]) : [run]));
}

function MailRow({ mail, selection }: { mail: MailOverview; selection: MailSelection }): VNode {
  const { hasMail, now, format, own } = useContext(PageContext);
  const { status, before } = selection;
  const what = `the ${mailKindWords[mail.kind].toLowerCase()} to ${mailRecipient(mail)}`;
  const isResendable = hasMail && resendRefusal(mail) === null;
  return (
    <li class={mail.status}>
      <p class="at">
        <Moment at={mail.created_at} />
      </p>
      <div>
        <p>
          {mailKindWords[mail.kind]} to <bdi>{mailRecipient(mail)}</bdi>
        </p>
        <p class="fine">
          {mail.kind === 'calendar_failure' ? (
            <a href={calendarsPath}>
              <bdi>{mail.calendar_label}</bdi>
            </a>
          ) : (
            <a href={linkToBooking(mail.booking_id)}>
              <MailSession mail={mail} />
            </a>
          )}
        </p>
      </div>
      <div>
        <p class="state">
          {mailStatusWords[mail.status]}
          {mail.dismissed_at !== null && ', dismissed'}
        </p>
        <p class="fine">
          {explainMail(mail, { now, at: format, sendAgain: 'then send it again.' })}
        </p>
      </div>
      <div class="acts">
        {isResendable && (
          <a class="button quiet small" href={pathWith(resendPath(mail), { status, before })}>
            Send again
            <Unseen> {what}</Unseen>
          </a>
        )}
        {own === null && mail.status === 'failed' && mail.dismissed_at === null && (
          <PostForm action={dismissPath} hidden={{ id: mail.id, ...fieldsOf(selection) }}>
            <button class="quiet small">
              Dismiss<Unseen> {what}</Unseen>
            </button>
          </PostForm>
        )}
      </div>
    </li>
  );
}

export interface AskResendProps {
  mail: MailOverview;
  selection: MailSelection;
  studioEmail: string;
}

/** Asks before a mail is sent again. */
export function AskResend({ mail, selection, studioEmail }: AskResendProps): VNode {
  const address =
    mail.recipient === 'studio'
      ? studioEmail
      : mail.artist_id === null
        ? mail.booking_email
        : mail.artist_email;
  return (
    <PostForm action={resendPath(mail)} hidden={fieldsOf(selection)}>
      <p>
        {mailKindWords[mail.kind]} to <bdi>{mailRecipient(mail)}</bdi>, to{' '}
        <strong>
          <bdi>{address}</bdi>
        </strong>
        {mail.kind !== 'calendar_failure' && (
          <>
            : <MailSession mail={mail} />
          </>
        )}
        .
      </p>
      <p>They get it once more, at once, as the booking is now.</p>
      <div class="acts">
        <button>Send it again</button>
        <a class="button quiet" href={linkToMails(selection)}>
          Back
        </a>
      </div>
    </PostForm>
  );
}

function fieldsOf({ status, before }: MailSelection): Record<string, string> {
  return { ...(status !== null && { status }), ...(before !== null && { before }) };
}

const dismissPath = '/console/mail/dismiss';

/** The session that a mail is about. */
function MailSession({ mail }: { mail: BookingMailOverview }): VNode {
  const { booking_date: date, booking_time_slot: timeSlot } = mail;
  const { booking_ends_at_text: endsAtText, booking_artist_name: artistName } = mail;
  return <DayAndHours of={{ date, timeSlot, endsAtText, artistName }} />;
}

function resendPath({ id }: MailOverview): string {
  return `/console/mail/${id}/resend`;
}

export const mailKindWords: Record<MailKind, string> = {
  confirmation: 'Confirmation',
  move: 'Move',
  cancellation: 'Cancellation',
  reminder: 'Reminder',
  code: 'Code',
  conflict: 'Conflict',
  calendar_failure: 'Calendar failure',
};

export const mailStatusWords: Record<MailStatus, string> = {
  pending: 'To be sent',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
};
