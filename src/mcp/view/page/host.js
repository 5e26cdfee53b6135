/** What the host can do, and how it looks. */
import { notify, recordOf, request } from './bridge.js';

/** What the host has said it can do. */
export const host = { tools: false, links: false, modelContext: false, timeZone: '' };

/** Introduces the view to the host, which then sends the tool's result. */
export async function introduce() {
  const answer = await request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'slots', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  });
  const capabilities = recordOf(answer['hostCapabilities']);
  host.tools = 'serverTools' in capabilities;
  host.links = 'openLinks' in capabilities;
  host.modelContext = 'updateModelContext' in capabilities;
  applyContext(recordOf(answer['hostContext']));
  notify('ui/notifications/initialized', {});
  followSize();
}

/** @param {Record<string, unknown>} context of the host, or what has changed in it */
export function applyContext({ theme, timeZone, styles }) {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  if (typeof timeZone === 'string') host.timeZone = timeZone;
  for (const [name, value] of Object.entries(recordOf(recordOf(styles)['variables']))) {
    if (name.startsWith('--') && typeof value === 'string') style.setProperty(name, value);
  }
}

/** Sends the size of the view whenever it changes. */
function followSize() {
  let sent = '';
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    const size = { width: innerWidth, height };
    if (JSON.stringify(size) === sent) return;
    sent = JSON.stringify(size);
    notify('ui/notifications/size-changed', size);
  }).observe(document.documentElement);
}
