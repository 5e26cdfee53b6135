import type { VNode } from 'preact';
import { useLanguage } from '../../locales/context.js';
import type { Language } from '../../locales/language.js';
import { addressWords, mapLink } from '../../schedule/addresses.js';
import { timesIn } from '../../schedule/times.js';
import type { BookingMailFacts } from '../mail-facts.js';
import { formerTime, type TimedMailFacts } from '../session-time.js';
import { newsOf, subjectOf } from '../subject.js';
import { Colophon, Link, MailLayout } from './layout.js';
import {
  Appointment,
  ButtonLink,
  Fact,
  Facts,
  Heading,
  Lead,
  Notices,
  Paragraph,
  Questions,
  Quote,
} from './parts.js';

/** The mail about a session that will take place: a confirmation, a move or a reminder. */
export function ComingMail(facts: TimedMailFacts): VNode {
  const { kind, event, studio, checkoutUrl, stopRemindersUrl } = facts;
  const language = useLanguage();
  const { t, rich } = language;
  const isMoved = event.type === 'booking.moved' && kind === 'move';
  const former = isMoved ? formerTime(language, facts) : null;
  const isAsked = facts.booking.closed_day_choice === 'asked';
  const { title, lead } = comingWords(language, facts);
  return (
    <MailLayout
      subject={subjectOf(language, facts)}
      preview={t('mail.coming.preview', { address: addressWords(studio) })}
      studio={studio}
      moon="full"
      footer={
        <Colophon studio={studio}>
          {kind === 'reminder' &&
            rich('mail.coming.reminders', {
              stop: (words) => <Link href={stopRemindersUrl}>{words}</Link>,
            })}
        </Colophon>
      }
    >
      <Appointment title={title} time={facts.time} />
      <Facts>
        {former !== null && (
          <Fact term={t('mail.coming.before')} isFirst>
            {former}
          </Fact>
        )}
        <Fact term={t('checkout.where.term')} isFirst={former === null}>
          {rich('checkout.where', {
            address: <bdi>{addressWords(studio)}</bdi>,
            map: (words) => <Link href={mapLink(studio)}>{words}</Link>,
          })}
        </Fact>
        {kind !== 'reminder' && <Fact term={t('checkout.pay.term')}>{t('mail.coming.pay')}</Fact>}
      </Facts>
      <Lead>{lead}</Lead>
      <StudioWord {...facts} />
      {kind === 'move' && event.data.by === 'person' && <NotYou />}
      {checkoutUrl !== null && (
        <ButtonLink href={isAsked ? `${checkoutUrl}/move` : checkoutUrl}>
          {t(isAsked ? 'mail.another_time' : 'mail.coming.open')}
        </ButtonLink>
      )}
      <Paragraph>
        {t(checkoutUrl === null ? 'mail.coming.page.no_link' : 'mail.coming.page')}
      </Paragraph>
      <Notices notices={studio.notices} />
      <Heading>{t('mail.coming.cannot_come.heading')}</Heading>
      <Paragraph>
        {t(checkoutUrl === null ? 'mail.coming.cannot_come.no_link' : 'mail.coming.cannot_come')}
      </Paragraph>
      <Questions studio={studio} />
    </MailLayout>
  );
}

function comingWords(language: Language, facts: BookingMailFacts) {
  const { t } = language;
  const news = newsOf(facts);
  if (news === 'retimed') {
    const time = timesIn(language).slotWords(facts.event.data.time_slot);
    return {
      title: t('mail.coming.title.retimed', { time }),
      lead: t('mail.coming.lead.retimed', { time }),
    };
  }
  const lead = news === 'moved' ? (`moved.${actorOf(facts)}` as const) : news;
  return { title: t(`mail.coming.title.${news}`), lead: t(`mail.coming.lead.${lead}`) };
}

function actorOf({ event: { data } }: BookingMailFacts) {
  return data.by === 'person' || data.by === 'studio' ? data.by : 'other';
}

/** The studio's words about the change; while the person is asked, also in later mails. */
function StudioWord({ kind, event, booking }: BookingMailFacts): VNode | null {
  const { t } = useLanguage();
  const isOfChange = kind === 'move' && event.data.has_word === true;
  const isShown = isOfChange || booking.closed_day_choice === 'asked';
  return isShown ? <Quoted title={t('mail.word')}>{booking.studio_word}</Quoted> : null;
}

function Quoted({ title, children }: { title: string; children: string | null }): VNode | null {
  if (children === null) return null;
  return (
    <>
      <Paragraph>{title}</Paragraph>
      <Quote>{children}</Quote>
    </>
  );
}

export function CancelledMail(facts: TimedMailFacts): VNode {
  const { studio, bookUrl, checkoutUrl, booking } = facts;
  const language = useLanguage();
  const { t, rich } = language;
  const by = actorOf(facts);
  const reason = by === 'person' ? null : booking.cancellation_reason;
  // The words to all people of a closed day are the reason.
  const word = by === 'person' || booking.studio_word === reason ? null : booking.studio_word;
  return (
    <MailLayout
      subject={subjectOf(language, facts)}
      preview={t('mail.cancelled.preview')}
      studio={studio}
      moon="dark"
      footer={<Colophon studio={studio} />}
    >
      <Appointment title={t('mail.cancelled.title')} time={facts.time} isCancelled />
      <Lead>{t(`mail.cancelled.lead.${by}`)}</Lead>
      <Quoted title={t('mail.cancelled.reason')}>{reason}</Quoted>
      <Quoted title={t('mail.word')}>{word}</Quoted>
      {by === 'person' && <NotYou />}
      <Paragraph>{t('mail.cancelled.calendar')}</Paragraph>
      <Heading>{t('mail.cancelled.another.heading')}</Heading>
      <Paragraph>{t('mail.cancelled.another')}</Paragraph>
      <ButtonLink href={bookUrl}>{t('mail.another_time')}</ButtonLink>
      <Paragraph>
        {checkoutUrl === null
          ? t('mail.cancelled.record.no_link')
          : rich('mail.cancelled.record', {
              page: (words) => <Link href={checkoutUrl}>{words}</Link>,
            })}
      </Paragraph>
      <Questions studio={studio} />
    </MailLayout>
  );
}

function NotYou(): VNode {
  return <Paragraph>{useLanguage().t('mail.not_you')}</Paragraph>;
}
