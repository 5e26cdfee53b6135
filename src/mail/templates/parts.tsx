import { Fragment, type ComponentChildren, type VNode } from 'preact';
import type { StudioRow } from '../../database/rows/studio.js';
import type { StudioNotice } from '../../database/rows/studio.js';
import { useLanguage } from '../../locales/context.js';
import { timesIn } from '../../schedule/times.js';
import { withoutLinks } from '../sanitize-facts.js';
import type { SessionTime } from '../session-time.js';
import { EmailLink, layoutTable, PhoneLink } from './layout.js';
import { display, ruled, sans, tone, readPalette } from './style.js';

export interface AppointmentProps {
  title: string;
  time: SessionTime;
  isCancelled?: boolean;
}

/** The title and the time in large letters, as on the checkout page. */
export function Appointment({ title, time, isCancelled = false }: AppointmentProps): VNode {
  const language = useLanguage();
  const struck = isCancelled ? 'text-decoration:line-through;text-decoration-thickness:1px;' : '';
  const large = tone(
    isCancelled ? 'muted' : 'ink',
    `margin:0;${display(44, 1.08)}letter-spacing:-0.01em;`,
  );
  const small = tone('muted', `margin:10px 0 0;${sans(13, 1.4)}`);
  return (
    <>
      <Title>{title}</Title>
      <p class={`when ${large.class}`} style={large.style}>
        {language.rich('mail.large', {
          ...timesIn(language).dateWords(time.date),
          hours: time.hours,
          first: (words) => <span style={struck}>{words}</span>,
          next: (words) => (
            <>
              <br class="space" />
              <span style={struck}>{words}</span>
            </>
          ),
        })}
      </p>
      <p class={`zone ${small.class}`} style={small.style}>
        {time.artist === null
          ? time.zone
          : language.t('mail.zone.artist', { zone: time.zone, artist: time.artist })}
      </p>
    </>
  );
}

/** The title above the large letters. */
export function Title({ children }: { children: string }): VNode {
  return <h1 {...tone('ink', `margin:0 0 10px;${sans(16)}font-weight:600;`)}>{children}</h1>;
}

export function Facts({ children }: { children: ComponentChildren }): VNode {
  return (
    <table {...layoutTable} style="margin-top:28px;table-layout:fixed;">
      {children}
    </table>
  );
}

export interface FactProps {
  term: string;
  /** The first also has a line above. */
  isFirst?: boolean;
  children: ComponentChildren;
}

export function Fact({ term, isFirst = false, children }: FactProps): VNode {
  const padding = 'padding:11px 0;';
  const line = readPalette().light.line;
  const top = isFirst ? `border-top:1px solid ${line};` : '';
  const { class: ruledClass, style } = ruled('bottom', top + padding);
  const muted = tone('muted', `${style}${sans(16)}`);
  const ink = tone('ink', `${style}${sans(16)}`);
  return (
    <tr>
      <td width="104" valign="top" class={`term ${ruledClass} ${muted.class}`} style={muted.style}>
        {term}
      </td>
      <td valign="top" class={`${ruledClass} ${ink.class}`} style={ink.style}>
        {children}
      </td>
    </tr>
  );
}

/** The most important sentence. */
export function Lead({ children }: { children: ComponentChildren }): VNode {
  return <p {...tone('ink', `margin:30px 0 0;${display(24, 1.32)}`)}>{children}</p>;
}

export function Paragraph({ children }: { children: ComponentChildren }): VNode {
  return <p {...tone('ink', `margin:14px 0 0;${sans(16)}`)}>{children}</p>;
}

export function Questions({ studio }: { studio: StudioRow }): VNode {
  const { rich } = useLanguage();
  return (
    <Paragraph>
      {rich('mail.questions', {
        email: <EmailLink address={studio.email} />,
        phone: <PhoneLink phone={studio.phone} />,
      })}
    </Paragraph>
  );
}

/** A link that looks like a button of the pages. */
export function ButtonLink({ href, children }: { href: string; children: string }): VNode {
  const { ink, paper } = readPalette().light;
  const text = `display:inline-block;padding:12px 26px;border:1px solid ${ink};border-radius:2px;color:${paper};`;
  return (
    <table
      class="wide"
      role="presentation"
      cellPadding="0"
      cellSpacing="0"
      style="margin-top:24px;"
    >
      <tr>
        <td class="button" align="center" style={`background-color:${ink};border-radius:2px;`}>
          <a
            href={href}
            style={`${text}${sans(16, 1.5)}font-weight:600;text-align:center;text-decoration:none;`}
          >
            {children}
          </a>
        </td>
      </tr>
    </table>
  );
}

export function Notices({ notices }: { notices: readonly StudioNotice[] }): VNode | null {
  const { t } = useLanguage();
  if (notices.length === 0) return null;
  const muted = tone('muted', `margin:0;text-align:start;${sans(16)}`);
  return (
    <section>
      <Heading>{t('shared.notices.heading')}</Heading>
      {notices.map(({ title, text }) => (
        <Fragment key={title}>
          <h3
            dir="auto"
            {...tone('ink', `margin:16px 0 0;text-align:start;${sans(16)}font-weight:600;`)}
          >
            {title}
          </h3>
          <p dir="auto" class={`notice ${muted.class}`} style={muted.style}>
            <Lines text={text} />
          </p>
        </Fragment>
      ))}
    </section>
  );
}

export function Heading({ children }: { children: string }): VNode {
  return <h2 {...tone('ink', `margin:40px 0 0;${display(24, 1.2)}`)}>{children}</h2>;
}

/** A text of the studio or a person, set off by a line. */
export function Quote({ children }: { children: string }): VNode {
  const { line } = readPalette().light;
  const { class: ink, style } = tone(
    'ink',
    `margin:14px 0 0;padding:2px 16px;text-align:start;${sans(16)}`,
  );
  return (
    <blockquote
      dir="auto"
      class={`line ${ink}`}
      style={`${style}border-inline-start:3px solid ${line};`}
    >
      <Lines text={children} />
    </blockquote>
  );
}

export interface PersonWordsProps {
  children: string;
  /** A text of several lines, which are quoted in plain text. */
  isLong?: boolean;
}

/** What a person or an agent has typed, in a mail to the studio or an artist. Nothing in it is a link. */
export function PersonWords({ children, isLong = false }: PersonWordsProps): VNode {
  const text = withoutLinks(children);
  if (!isLong) return <bdi class="typed">{text}</bdi>;
  return (
    <div dir="auto" class="quoted">
      <Lines text={text} />
    </div>
  );
}

/** The address of a person: a link that writes to it, unless mail programs may read another one in it. */
export function PersonEmail({ address }: { address: string }): VNode {
  return /^(?!www\.)[\w.+-]+@[\w.-]+$/i.test(address) ? (
    <EmailLink address={address} />
  ) : (
    <PersonWords>{address}</PersonWords>
  );
}

/** A text with its line breaks as elements, since some mail programs ignore `white-space`. */
function Lines({ text }: { text: string }): VNode {
  return (
    <>
      {text.split('\n').map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </>
  );
}
