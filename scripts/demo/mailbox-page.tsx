import type { VNode } from 'preact';
import type { Assets } from '../../src/web/assets.js';
import type { ReceivedMail } from './received-mail.js';

export interface MailboxPageProps {
  assets: Assets;
  /** Newest first. */
  mails: readonly ReceivedMail[];
  chosen: ReceivedMail | null;
}

const title = 'The mailbox of everyone';

/** The mails that arrived, and the chosen one. */
export function MailboxPage({ assets, mails, chosen }: MailboxPageProps): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{chosen === null ? title : `${chosen.subject} – ${title}`}</title>
        <link rel="stylesheet" href={assets['page.css']} />
        <link rel="stylesheet" href="/mailbox.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header class="masthead">
          <a href="/">{title}</a>
        </header>
        <div class="mailbox">
          <nav aria-label="Mails">
            {mails.length === 0 && <p class="fine">Nothing has arrived yet.</p>}
            <ol>
              {mails.map((mail) => (
                <li key={mail.number}>
                  <a
                    href={`/mails/${mail.number}`}
                    aria-current={mail === chosen ? 'page' : undefined}
                  >
                    <span class="subject">{mail.subject || '(no subject)'}</span>
                    <span class="fine">
                      <bdi>{mail.to}</bdi> <When at={mail.at} />
                    </span>
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          <main>{chosen === null ? <Hint /> : <Mail mail={chosen} />}</main>
        </div>
      </body>
    </html>
  );
}

function Hint(): VNode {
  return (
    <>
      <h1>Every mail of the demo arrives here, and nowhere else.</h1>
      <p>
        Choose one to read it. <a href="/">Check for new mail</a>
      </p>
    </>
  );
}

function Mail({ mail }: { mail: ReceivedMail }): VNode {
  return (
    <article>
      <h1>{mail.subject || '(no subject)'}</h1>
      <p class="fine">
        From <bdi>{mail.from}</bdi> to <bdi>{mail.to}</bdi>, <When at={mail.at} />
      </p>
      {mail.html !== null && (
        // Without scripts and origin. Links open in a new tab, since checkout pages refuse frames.
        <iframe
          title="The mail"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcdoc={withLinksInNewTab(mail.html)}
        />
      )}
      <Part title="Plain text" text={mail.text} open={mail.html === null} />
      <Part title="Calendar part" text={mail.calendar} />
    </article>
  );
}

interface PartProps {
  title: string;
  text: string | null;
  open?: boolean;
}

function Part({ title: name, text, open = false }: PartProps): VNode | null {
  if (text === null) return null;
  return (
    <details open={open}>
      <summary>{name}</summary>
      {/* Focusable, so that the keyboard scrolls it. */}
      <pre tabIndex={0} role="region" aria-label={name}>
        {text}
      </pre>
    </details>
  );
}

function When({ at }: { at: Date }): VNode {
  return <time dateTime={at.toISOString()}>{at.toLocaleTimeString('en-US')}</time>;
}

function withLinksInNewTab(html: string): string {
  return html.replace(/<head[^>]*>/i, '$&<base target="_blank">');
}
