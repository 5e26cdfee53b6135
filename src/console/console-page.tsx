import type { ComponentChildren, VNode } from 'preact';
import type { StudioRow } from '../repositories/studio.js';
import type { Assets } from '../web/assets.js';
import { Layout } from '../web/layout.js';
import { PostForm } from './form.js';

/** The parts of the console, in the order of its navigation. */
export const sections = {
  today: { path: '/console', label: 'Today' },
  bookings: { path: '/console/bookings', label: 'Bookings' },
  hours: { path: '/console/hours', label: 'Hours' },
  calendars: { path: '/console/calendars', label: 'Calendars' },
  studio: { path: '/console/studio', label: 'Studio' },
  mail: { path: '/console/mail', label: 'Mail' },
  webhooks: { path: '/console/webhooks', label: 'Webhooks' },
  keys: { path: '/console/keys', label: 'Keys' },
  figures: { path: '/console/figures', label: 'Figures' },
  audit: { path: '/console/audit', label: 'Audit' },
  signIns: { path: '/console/sign-ins', label: 'Sign-ins' },
} as const;

export type Section = keyof typeof sections;

export interface ConsolePageProps {
  assets: Assets;
  studio: StudioRow;
  /** Who is signed in. */
  sessionName: string;
  section: Section;
  /** The heading of the page. */
  title: string;
  /** What has just been done. */
  done?: string | null | undefined;
  /** Why nothing was done. */
  trouble?: string | null | undefined;
  script?: 'console.js' | 'passkeys.js' | undefined;
  children: ComponentChildren;
}

/** A page of the console: the navigation, and the work. */
export function ConsolePage(props: ConsolePageProps): VNode {
  const { assets, studio, sessionName, section, title, done, trouble, script } = props;
  // Screen readers begin with the title of a new page: it says first how a form ended.
  const documentTitle = [done ?? trouble, title, studio.name].filter((part) => part != null);
  return (
    <Layout
      assets={assets}
      title={documentTitle.join(' – ')}
      kind="console"
      stylesheet="console.css"
      script={script ?? 'console.js'}
    >
      <a class="skip" href="#work">
        Skip to the page
      </a>
      <header class="bar">
        <p class="name">
          <a href="/">{studio.name}</a>
        </p>
        <nav aria-label="Console">
          <ul>
            {Object.entries(sections).map(([key, { path, label }]) => (
              <li key={key}>
                <a href={path} aria-current={key === section ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <PostForm action="/console/sign-out" class="who">
          <span class="muted">{sessionName}</span>
          <button class="quiet small">Sign out</button>
        </PostForm>
      </header>
      <main id="work" tabIndex={-1}>
        <h1>{title}</h1>
        {done != null && (
          <p class="done" role="status">
            {done}
          </p>
        )}
        {trouble != null && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <p class="trouble" id="ended" role="alert" hidden>
          Your session has ended. Nothing was sent, and what you typed is still here.{' '}
          <a href="/console" target="_blank">
            Sign in in another tab
          </a>
          , then press the button again.
        </p>
        {props.children}
      </main>
    </Layout>
  );
}
