import type { TargetRefusal } from './deps.js';

/** Why a calendar cannot be watched, by the rule that its address breaks. */
export const addressRefusals: Readonly<Record<TargetRefusal['rule'], string>> = {
  url: 'Give the whole address of the calendar, such as https://example.com/calendar.ics.',
  scheme: 'The address must begin with https:// or webcal://.',
  credentials:
    'The address must contain no user name and no password. Most calendars have a secret address that needs neither.',
  port: 'The address must use port 443 or 8443.',
  hostname: 'The address must name a host on the public internet.',
  address: 'The host of the address must exist, and be on the public internet.',
};
