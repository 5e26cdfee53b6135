import type { VNode } from 'preact';
import { minutesWords, timeOfDay } from '../../schedule/words.js';
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
  const { occurredAt } = event;
  const { digits, lapsesAt } = code;
  const until = timeOfDay(time.timezone, lapsesAt.getTime());
  const span = `for ${minutesWords((lapsesAt.getTime() - occurredAt.getTime()) / 1000)}, until ${until}`;
  const isPending = event.data.status === 'pending';
  const large = tone('ink', `margin:0;${display(60, 1.1)}letter-spacing:0.14em;`);
  return (
    <MailLayout
      subject={subjectOf(facts)}
      preview={`Your code is ${digits}, ${span}.`}
      studio={studio}
      moon="full"
      footer={<Colophon studio={studio} />}
    >
      <Title>
        {isPending ? 'Your code to confirm your session' : 'Your code to move or cancel'}
      </Title>
      <p class={`when ${large.class}`} style={large.style}>
        {digits}
      </p>
      <Facts>
        <Fact term="Valid" isFirst>
          {span} in {studio.city}
        </Fact>
        <Fact term="Session">{time.label}</Fact>
      </Facts>
      <Lead>Type or paste it on the page where you asked for it.</Lead>
      <Heading>If it was not you</Heading>
      <Paragraph>
        Do nothing: without these digits, nothing {isPending ? 'is confirmed' : 'changes'}. Do not
        share them, not even with your assistant, or with a caller who claims to be from the studio.
      </Paragraph>
      <Questions studio={studio} />
    </MailLayout>
  );
}
