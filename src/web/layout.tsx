import type { ComponentChildren, VNode } from 'preact';
import { mailtoUri } from '../config/addresses.js';
import type { StudioRow } from '../database/rows/studio.js';
import { useLanguage } from '../locales/context.js';
import { phoneUri } from '../schedule/words.js';
import type { Assets } from './assets.js';
import { Sharing, type SharingProps } from './sharing.js';

export interface LayoutProps {
  assets: Assets;
  title: string;
  /** The class of the body: the kind of page, or the state of its booking. */
  kind: string;
  script?:
    | 'book.js'
    | 'checkout.js'
    | 'code.js'
    | 'console.js'
    | 'dashboard.js'
    | 'own-clock.js'
    | 'passkeys.js'
    | undefined;
  /** In addition to page.css. */
  stylesheet?: 'console.css' | 'dashboard.css' | 'docs.css';
  /** Whether search engines may show the page. */
  indexed?: boolean;
  description?: string;
  /** The colours, where they are not those that the browser prefers. */
  theme?: 'light' | 'dark' | null;
  /** The window that links and forms open in, if they name none. */
  target?: '_top';
  /** The preview of a page that people share and search engines show. */
  sharing?: SharingProps;
  children: ComponentChildren;
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Ccircle cx='12' cy='12' r='11' fill='%2314191f'/%3E%3Cpath d='M12 3a9 9 0 0 0 0 18A5 9 0 0 1 12 3Z' fill='%23ebe5d8'/%3E%3C/svg%3E";

/** The HTML document that every page has in common. */
export function Layout(props: LayoutProps): VNode {
  const { assets, title, kind, script, stylesheet, sharing, target } = props;
  const { indexed = false, description, theme } = props;
  const { tag, t } = useLanguage();
  return (
    <html lang={tag} data-theme={theme ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f5f1e8" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d1116" media="(prefers-color-scheme: dark)" />
        {!indexed && <meta name="robots" content="noindex, nofollow" />}
        {description !== undefined && <meta name="description" content={description} />}
        <title>{title}</title>
        {sharing !== undefined && (
          <Sharing
            {...sharing}
            title={title}
            description={description ?? sharing.studio.description}
          />
        )}
        <link rel="stylesheet" href={assets['page.css']} />
        {stylesheet !== undefined && <link rel="stylesheet" href={assets[stylesheet]} />}
        {target !== undefined && <base target={target} />}
        <link rel="icon" href={icon} />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {indexed && <link rel="manifest" href="/manifest.webmanifest" />}
        {script !== undefined && <script type="module" src={assets[script]} />}
      </head>
      <body class={kind} data-own-clock={t('time.own_clock', { time: '{time}' })}>
        {props.children}
      </body>
    </html>
  );
}

export interface StudioPageProps extends LayoutProps {
  /** Null if the studio cannot be read. */
  studio: StudioRow | null;
  /** Whether the page is in a website of the studio, which has its name. */
  isFramed?: boolean;
}

/** A page with the studio's name in its title and above it, and how to reach the studio below. */
export function StudioPage(props: StudioPageProps): VNode {
  const { studio, title, isFramed = false, children, ...layout } = props;
  const { t } = useLanguage();
  return (
    // Each script of such a page adds the time on the visitor's own clock.
    <Layout
      script="own-clock.js"
      {...layout}
      title={studio === null ? title : t('layout.title', { title, studio: studio.name })}
    >
      <div class="page">
        {!isFramed && (
          <header class="masthead">
            <a href="/">{studio?.name ?? t('layout.no_studio')}</a>
          </header>
        )}
        {children}
        {studio !== null && !isFramed && <Colophon studio={studio} />}
      </div>
    </Layout>
  );
}

/** The footer: how to reach the studio. */
export function Colophon({ studio }: { studio: StudioRow }): VNode {
  return (
    <footer class="colophon">
      <span>{studio.name}</span>
      <EmailLink studio={studio} />
      <PhoneLink studio={studio} />
      <Website url={studio.website} />
      <a href="/privacy" rel="privacy-policy">
        {useLanguage().t('layout.privacy')}
      </a>
    </footer>
  );
}

export function EmailLink({ studio }: { studio: StudioRow }): VNode {
  return <a href={mailtoUri(studio.email)}>{studio.email}</a>;
}

export function PhoneLink({ studio }: { studio: StudioRow }): VNode {
  return <a href={phoneUri(studio.phone)}>{studio.phone}</a>;
}

function Website({ url }: { url: string }): VNode {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) return <span>{url}</span>;
  return (
    <a href={address.href} rel="noopener noreferrer">
      {address.host}
    </a>
  );
}

/**
 * A slot drawn as a moon: new while it is open, full once it is taken; for a hold it wanes with the
 * remaining time. `lit` is the illuminated part, from 0 to 1.
 */
export function Moon({ lit }: { lit: number }): VNode {
  return (
    <svg class="moon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path class="lit" d={litPath(lit)} />
      <circle class="rim" cx="12" cy="12" r="11" />
    </svg>
  );
}

/** The outline of the lit part: the left limb, then back along the terminator. */
function litPath(lit: number): string {
  const width = (11 * Math.abs(2 * lit - 1)).toFixed(2);
  return `M12 1A11 11 0 0 0 12 23A${width} 11 0 0 ${lit > 0.5 ? 0 : 1} 12 1Z`;
}
