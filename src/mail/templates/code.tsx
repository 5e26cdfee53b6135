import type { VNode } from 'preact';
import { useLanguage } from '../../locales/context.js';
import { timesIn } from '../../schedule/times.js';
import type { MailedCode } from '../mail-facts.js';
import type { TimedMailFacts } from '../session-time.js';
import { subjectOf } from '../subject.js';
import { Colophon, MailLayout } from './layout.js';
import { Fact, Facts, Heading, Lead, Paragraph, Questions, Title } from './parts.js';
import { display, tone } from './style.js';

/**
 * The mail with a code. It has no link of the booking (src/decisions.md). The digits are not in the
 * subject, which mail servers log, but first in the preview, and unbroken, for programs that fill them
 * in.
 */
export function CodeMail(facts: TimedMailFacts & { code: MailedCode }): VNode {
  const { studio, event, code, time } = facts;
  const { digits, lapsesAt } = code;
  const language = useLanguage();
  const { t } = language;
  const span = {
    minutes: Math.max(1, Math.ceil((lapsesAt.getTime() - event.occurredAt.getTime()) / 60_000)),
    until: timesIn(language).timeOfDay(time.timezone, lapsesAt.getTime()),
  };
  const change = event.data.status === 'pending' ? 'confirm' : 'change';
  const large = tone('ink', `margin:0;${display(60, 1.1)}letter-spacing:0.14em;`);
  return (
    <MailLayout
      subject={subjectOf(language, facts)}
      preview={t('mail.code.preview', { digits, ...span })}
      studio={studio}
      moon="full"
      footer={<Colophon studio={studio} />}
    >
      <Title>{t(`mail.code.title.${change}`)}</Title>
      <p class={`when ${large.class}`} style={large.style}>
        {digits}
      </p>
      <Facts>
        <Fact term={t('mail.code.valid.term')} isFirst>
          {t('mail.code.valid', { ...span, city: studio.city })}
        </Fact>
        <Fact term={t('mail.code.session')}>{time.label}</Fact>
      </Facts>
      <Lead>{t('mail.code.lead')}</Lead>
      <Heading>{t('mail.code.not_you.heading')}</Heading>
      <Paragraph>{t(`mail.code.not_you.${change}`)}</Paragraph>
      <Questions studio={studio} />
    </MailLayout>
  );
}
