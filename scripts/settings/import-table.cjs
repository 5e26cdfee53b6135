/**
 * "Imports go one way": which folder of src may import which. One list per folder, from the lowest
 * up; a folder may import itself, and what is not listed is forbidden, also as a type. The files at
 * the root of src know everyone, and nobody below imports them, but for errors.ts.
 */
const ground = ['generated', 'errors', 'config'];
const rows = [...ground, 'schedule', 'secrets', 'platform', 'database', 'repositories'];
const floor = [...rows, 'access', 'board', 'icalendar', 'domain', 'views'];

const imports = {
  generated: [],
  client: ['generated'],
  errors: ['generated'],
  config: ['errors'],
  /** Which slots exist and are open: pure functions. */
  schedule: ['generated'],
  secrets: [],
  platform: ground,
  database: [...ground, 'secrets', 'platform'],
  repositories: [...ground, 'secrets', 'platform', 'database'],
  board: rows,
  access: rows,
  /** Requests to addresses that others have named. */
  outbound: [...ground, 'platform'],
  icalendar: ['generated', 'config', 'platform', 'repositories', 'schedule', 'outbound'],
  views: rows,
  domain: [...rows, 'access', 'board', 'icalendar'],
  webhooks: [...rows, 'outbound'],
  mail: [...rows, 'icalendar'],
  jobs: [...floor, 'webhooks', 'mail'],
  /** The kit under the entrances that are served over HTTP: none of them imports another. */
  web: floor,
  http: [...floor, 'web'],
  mcp: [...floor, 'web'],
  pages: [...floor, 'web'],
  console: [...floor, 'web'],
  /** Its commands look into the queues, send a mail as a test, and read a calendar. */
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
