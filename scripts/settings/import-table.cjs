/**
 * "Imports go one way": which folder of src may import which. One list per folder, from the lowest
 * up; a folder may import itself, and what is not listed is forbidden, also as a type. The files at
 * the root of src know everyone, and nobody below imports them, but for errors.ts.
 */
const ground = ['generated', 'errors', 'config', 'secrets', 'platform'];
const rows = [...ground, 'locales', 'schedule', 'database/rows'];
const data = [...rows, 'database', 'repositories'];
const floor = [...data, 'access', 'board', 'icalendar', 'domain', 'views'];
/** What every entrance may know: of the database, the types of its rows. */
const neighbours = [...rows, 'board', 'domain', 'views', 'web'];

const imports = {
  generated: [],
  client: ['generated'],
  errors: ['generated'],
  config: ['errors'],
  /** The sentences that people read, by language. */
  locales: ['generated'],
  /** Which slots exist and are open: pure functions. */
  schedule: ['generated', 'errors', 'config', 'locales'],
  secrets: [],
  platform: ['generated', 'errors', 'config'],
  /** The types of tables and of what queries return. */
  'database/rows': ['generated', 'config'],
  database: ground,
  repositories: [...rows, 'database'],
  board: data,
  access: data,
  /** Requests to addresses that others have named. */
  outbound: ground,
  icalendar: [...rows, 'outbound'],
  views: rows,
  domain: [...data, 'access', 'board', 'icalendar'],
  webhooks: [...data, 'outbound'],
  mail: [...data, 'icalendar'],
  jobs: [...floor, 'webhooks', 'mail'],
  /** The kit under the entrances that are served over HTTP: none of them imports another. */
  web: [...neighbours, 'access'],
  http: [...neighbours, 'access'],
  mcp: [...neighbours, 'access'],
  /** Feeds and invitations are iCalendar. */
  pages: [...neighbours, 'icalendar'],
  /** The studio's sign-ins, keys and platforms are in access. */
  console: [...neighbours, 'access', 'icalendar'],
  /** The commands for what the console does, too. They read calendars, and files of them. */
  'staff/studio': [...neighbours, 'access', 'icalendar', 'staff'],
  /** The operator looks into the queues, sends a mail as a test, and reads a calendar. */
  staff: [...floor, 'jobs', 'mail', 'outbound'],
};

/** Where each lies, as the beginning of a path from the project's root. */
const places = Object.fromEntries(
  Object.keys(imports).map((name) => {
    if (name === 'generated') return [name, 'generated/'];
    if (name === 'errors') return [name, 'src/errors.ts'];
    return [name, `src/${name}/`];
  }),
);

module.exports = { imports, places };
