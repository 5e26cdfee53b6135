import type { ComponentChildren, VNode } from 'preact';
import { mailtoUri } from '../../config/addresses.js';
import type { StudioRow } from '../../database/rows/studio.js';
import { useLanguage } from '../../locales/context.js';
import { addressWords } from '../../schedule/addresses.js';
import { phoneUri, phoneWords } from '../../schedule/words.js';
import { display, ruled, sans, stylesheet, tone, readPalette } from './style.js';

export interface LayoutProps {
  subject: string;
  /** The preview in lists of mails; hidden in the mail itself. */
  preview: string;
  studio: StudioRow;
  /** The moon as on the checkout page: full while the session stands, dark when it is cancelled. */
  moon: 'full' | 'dark';
  /** The end of the mail, such as `Colophon`. */
  footer?: VNode;
  children: ComponentChildren;
}

/**
 * The document of every mail: one column of at most 600 px, in tables, which all mail programs lay out
 * alike. It loads nothing.
 */
export function MailLayout({
  subject,
  preview,
  studio,
  moon,
  footer,
  children,
}: LayoutProps): VNode {
  return (
    <html lang={useLanguage().tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: stylesheet() }} />
      </head>
      <body {...tone('paper', 'margin:0;padding:0;-webkit-text-size-adjust:100%;')}>
        <Preview text={preview} />
        <table {...layoutTable} {...tone('paper')}>
          <tr>
            <td align="center">
              <table
                {...layoutTable}
                class="column"
                style="width:100%;max-width:600px;table-layout:fixed;"
              >
                <tr>
                  <td
                    class="edge"
                    align="left"
                    style={`padding:0 32px;${sans(16)}word-break:break-word;`}
                  >
                    <Masthead studio={studio} moon={moon} />
                    <main {...tone('ink', 'display:block;')}>{children}</main>
                    <footer {...tone('muted', `padding:44px 0;${sans(13)}`)}>{footer}</footer>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
}

/** The attributes of a table without data. */
export const layoutTable = {
  role: 'presentation',
  width: '100%',
  cellPadding: '0',
  cellSpacing: '0',
} as const;

/** The preview, with spaces that keep the following text out of lists of mails. */
function Preview({ text }: { text: string }): VNode {
  return (
    <div
      class="preview"
      aria-hidden="true"
      style="display:none;max-height:0;overflow:hidden;mso-hide:all;"
    >
      {text}
      {'\u00a0\u200c'.repeat(80)}
    </div>
  );
}

function Masthead({ studio, moon }: Pick<LayoutProps, 'studio' | 'moon'>): VNode {
  return (
    <header>
      <table {...layoutTable}>
        <tr>
          <td {...tone('ink', `padding:28px 0 36px;${display(22, 1.2)}`)}>
            <bdi>{studio.name}</bdi>
          </td>
          <td class="moon" width="48" align="right" style="padding:28px 0 36px;mso-hide:all;">
            <Moon phase={moon} />
          </td>
        </tr>
      </table>
    </header>
  );
}

/** The moon in CSS, since mail programs remove SVG; hidden from Outlook, which would draw a square. */
function Moon({ phase }: { phase: LayoutProps['moon'] }): VNode {
  const { ink, muted } = readPalette().light;
  const look =
    phase === 'full'
      ? `background-color:${ink};border:1px solid ${ink};`
      : `border:1px solid ${muted};`;
  return (
    <div
      aria-hidden="true"
      class={`${phase}-moon`}
      style={`width:30px;height:30px;border-radius:50%;${look}mso-hide:all;`}
    />
  );
}

interface ColophonProps {
  studio: StudioRow;
  children?: ComponentChildren;
}

/** The studio's contact, and a line of its own for some mails. */
export function Colophon({ studio, children }: ColophonProps): VNode {
  const line = 'margin:0 0 6px;';
  return (
    <table {...layoutTable}>
      <tr>
        <td {...ruled('top', 'padding-top:18px;')}>
          <p class="address" style={line}>
            <bdi>{studio.name}</bdi>, <bdi>{addressWords(studio)}</bdi>
          </p>
          <p class="reach" style={line}>
            <EmailLink address={studio.email} /> · <PhoneLink phone={studio.phone} /> ·{' '}
            <WebsiteLink url={studio.website} />
          </p>
          {children && (
            <p class="reach" style={line}>
              {children}
            </p>
          )}
        </td>
      </tr>
    </table>
  );
}

const linkStyle = 'color:inherit;text-decoration:underline;text-underline-offset:3px;';

export function Link({ href, children }: { href: string; children: ComponentChildren }): VNode {
  return (
    <a href={href} style={linkStyle}>
      {children}
    </a>
  );
}

export function EmailLink({ address: email }: { address: string }): VNode {
  return <Link href={mailtoUri(email)}>{email}</Link>;
}

export function PhoneLink({ phone }: { phone: string }): VNode {
  return (
    <a href={phoneUri(phone)} style={`${linkStyle}display:inline-block;`}>
      {phoneWords(phone)}
    </a>
  );
}

function WebsiteLink({ url }: { url: string }): VNode {
  const website = URL.canParse(url) ? new URL(url) : null;
  if (website === null || !/^https?:$/.test(website.protocol)) return <span>{url}</span>;
  return <Link href={website.href}>{website.host}</Link>;
}
