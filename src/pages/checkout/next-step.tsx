import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { CodeStep } from '../../domain/booking/codes.js';
import { useLanguage } from '../../locales/context.js';
import type { Language } from '../../locales/language.js';
import type { Artist } from '../../schedule/artists.js';
import { timesIn } from '../../schedule/times.js';
import { AskStudio, ClockTime, WhoActs } from '../parts.js';
import { ActButton, ActionButton, Address, CodeForm, Reach } from './code-form.js';
import { Cancelled, type EndedProps, Expired } from './ended-step.js';
import { MoveRules } from './move-rules.js';
import { BookAnother, CalendarDownload, Message, StudioWord } from './step-parts.js';

export interface NextStepProps extends EndedProps {
  studio: StudioRow;
  /** Milliseconds since the epoch. */
  now: number;
  codeStep: CodeStep;
  /** Whether changing a confirmed session takes a code. */
  hasMail: boolean;
  /** The artists who are free at the time of a hold, besides its own. */
  otherArtists: readonly Artist[];
  /** The status of the mail about the confirmation or the latest time; null if there is none. */
  mail: 'pending' | 'sent' | 'failed' | null;
}

/** The actions that the booking's state allows. Each is a form with one button, without scripts. */
export function NextStep(props: NextStepProps): VNode {
  switch (props.checkout.status) {
    case 'pending':
      return <Held {...props} />;
    case 'confirmed':
      return <Confirmed {...props} />;
    case 'expired':
      return <Expired {...props} />;
    case 'cancelled':
      return <Cancelled {...props} />;
  }
}

function Held(props: NextStepProps): VNode {
  const { checkout, studio, path, codeStep, otherArtists } = props;
  const { booking, move } = checkout;
  const { t } = useLanguage();
  return (
    <section class="next">
      <Countdown {...props} isLead />
      <StudioWord booking={booking} />
      <WhoActs />
      {codeStep.step !== 'none' && (
        <CodeForm
          {...props}
          booking={booking}
          act="confirm"
          button={<ActButton act="confirm">{t('checkout.confirm.button')}</ActButton>}
        />
      )}
      <div class="actions">
        {codeStep.step === 'none' && (
          <ActionButton act="confirm" booking={booking}>
            {t('checkout.confirm.button')}
          </ActionButton>
        )}
        {move.allowed && (
          <a class="button quiet" href={`${path}/move`}>
            {t('checkout.choose.button')}
          </a>
        )}
        <ActionButton act="release" booking={booking} quiet>
          {t('checkout.release.button')}
        </ActionButton>
      </div>
      {move.allowed && otherArtists.length > 0 && (
        <OtherArtists booking={booking} path={path} artists={otherArtists} />
      )}
      <MoveRules checkout={checkout} studio={studio} />
      <p class="fine">{t('checkout.hold.ends')}</p>
    </section>
  );
}

interface OtherArtistsProps {
  booking: BookingRow;
  /** The URL path of the checkout page. */
  path: string;
  artists: readonly Artist[];
}

/** Other artists who are free at the same time, as links. */
function OtherArtists({ booking, path, artists }: OtherArtistsProps): VNode {
  const { date, time_slot } = booking;
  const { rich, alternatives } = useLanguage();
  const links = artists.map(({ slug: artist, name }) => (
    <a
      key={artist}
      href={`${path}/move?${new URLSearchParams({ date, time_slot, artist }).toString()}`}
    >
      <bdi>{name}</bdi>
    </a>
  ));
  const names = artists.map(({ name }) => name);
  return <p>{rich('checkout.other_artists', { artists: alternatives(names, links) })}</p>;
}

interface CountdownWords {
  left: string;
  announcement: string;
}

const countdownWords = new WeakMap<Language, CountdownWords>();

/** The words of the script: how long the hold still is, and what it announces. */
function wordsOfCountdown(language: Language): CountdownWords {
  const known = countdownWords.get(language);
  if (known !== undefined) return known;
  const { t } = language;
  const { minutesLeft } = timesIn(language);
  const words = {
    left: wordsByMinutes((minutes) =>
      minutes === 0 ? t('checkout.hold.no_time') : minutesLeft(minutes * 60_000),
    ),
    announcement: wordsByMinutes((minutes) => t('checkout.hold.announcement', { minutes })),
  };
  countdownWords.set(language, words);
  return words;
}

/** The words for 0, 1, 2 … minutes, with `#` for the number. The last ones stand for all that follow. */
function wordsByMinutes(wordsOf: (minutes: number) => string): string {
  // No language that pages speak has other rules beyond a hundred.
  const words = Array.from({ length: 101 }, (_, minutes) =>
    wordsOf(minutes).replace(String(minutes), '#'),
  );
  while (words.length > 1 && words.at(-1) === words.at(-2)) words.pop();
  return words.join('|');
}

interface CountdownProps extends Pick<NextStepProps, 'checkout' | 'path' | 'now'> {
  isLead?: boolean;
}

/** The time left. The script counts down, and notices changes of the booking. */
export function Countdown({ checkout, path, now, isLead = false }: CountdownProps): VNode {
  const { booking } = checkout;
  const language = useLanguage();
  const { rich } = language;
  const { minutesLeft } = timesIn(language);
  const words = wordsOfCountdown(language);
  const [createdAt, expiresAt] = [booking.created_at.getTime(), booking.expires_at.getTime()];
  const left = (
    <span id="words" data-words={words.left}>
      {minutesLeft(expiresAt - now)}
    </span>
  );
  const until = <ClockTime at={expiresAt} timezone={booking.timezone} />;
  return (
    <>
      <p
        class={isLead ? 'lead' : 'fine'}
        id="hold"
        data-state={`${path}/state`}
        data-created-at={createdAt}
        data-expires-at={expiresAt}
        data-sequence={booking.sequence}
        data-server-time={now}
      >
        {rich('checkout.hold', { left, until })}
      </p>
      <p class="visually-hidden" role="status" id="announcement" data-words={words.announcement} />
    </>
  );
}

function Confirmed(props: NextStepProps): VNode {
  const { checkout, studio, path, codeStep, hasMail, mail } = props;
  const { t, rich } = useLanguage();
  if (checkout.hasStarted) {
    return (
      // It does not say who came: only the studio knows.
      <Message lead={t(`checkout.confirmed.${checkout.isOver ? 'over' : 'begun'}`)}>
        <p>{t('checkout.confirmed.too_late')}</p>
        <BookAnother>{t('checkout.another_session')}</BookAnother>
      </Message>
    );
  }
  const { confirmed_at, moved_at, closed_day_choice, studio_word } = checkout.booking;
  const canBeAsked = codeStep.step !== 'no_address';
  const canMove = checkout.move.allowed && canBeAsked;
  const hasMoved = confirmed_at !== null && moved_at !== null && moved_at > confirmed_at;
  const isAsked = closed_day_choice === 'asked';
  // A person's own move leaves no word of the studio.
  const moved = studio_word === null ? 'moved' : 'moved_by_studio';
  const lead = isAsked ? 'asked' : hasMoved ? moved : 'coming';
  const download = (words: ComponentChildren) => (
    <CalendarDownload path={path}>{words}</CalendarDownload>
  );
  const toMove = (words: ComponentChildren) => <a href={`${path}/move`}>{words}</a>;
  return (
    <Message lead={t(`checkout.confirmed.${lead}`)}>
      <StudioWord booking={checkout.booking} />
      <div class="unprinted">
        <WhoActs />
      </div>
      <p class="actions unprinted">
        {!isAsked && (
          <a class="button" href={`${path}/calendar.ics`}>
            {t('checkout.calendar.button')}
          </a>
        )}
        {canMove && (
          <a class={isAsked ? 'button' : 'button quiet'} href={`${path}/move`}>
            {t(`checkout.${isAsked ? 'choose' : 'move'}.button`)}
          </a>
        )}
      </p>
      {!isAsked && (
        <p class="fine unprinted">
          {hasMoved && `${t('checkout.calendar.again')} `}
          {rich('checkout.calendar.download', { download })}
        </p>
      )}
      {mail !== null && !isAsked && (
        <NewsMail {...props} mail={mail} news={hasMoved ? 'time' : 'confirmation'} />
      )}
      <div class="unprinted">
        {canBeAsked ? (
          <MoveRules checkout={checkout} studio={studio} />
        ) : (
          <p>
            <AskStudio studio={studio} />
          </p>
        )}
      </div>
      <p class="unprinted">
        {t('checkout.keep')}{' '}
        {t(`checkout.keep.${!hasMail ? 'anyone' : canBeAsked ? 'code' : 'ask'}`)}
      </p>
      <details class="unprinted">
        <summary>{t('checkout.cancel.summary')}</summary>
        <div>
          <p>
            {t('checkout.cancel')}
            {canMove && <> {rich('checkout.cancel.move', { move: toMove })}</>}
          </p>
          <CodeForm
            {...props}
            booking={checkout.booking}
            act="cancel"
            button={
              <ActButton act="cancel" quiet>
                {t('checkout.cancel.button')}
              </ActButton>
            }
          />
        </div>
      </details>
    </Message>
  );
}

/** The address to which the confirmation or the new time is mailed, and whether it has been. */
function NewsMail({
  checkout: { booking },
  studio,
  mail,
  news,
}: Pick<NextStepProps, 'checkout' | 'studio'> & {
  mail: NonNullable<NextStepProps['mail']>;
  news: 'time' | 'confirmation';
}): VNode {
  const { rich } = useLanguage();
  return (
    <p class="unprinted">
      {rich(`checkout.mail.${mail}.${news}`, { address: <Address booking={booking} /> })}
      {mail === 'failed' && (
        <>
          {' '}
          <Reach studio={studio} />
        </>
      )}
    </p>
  );
}
