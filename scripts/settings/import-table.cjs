/**
 * "Imports go one way": which folder of src may import which. One list per folder, from the lowest
 * up; a folder may import itself, and what is not listed is forbidden, also as a type. The files at
 * the root of src know everyone, and nobody below imports them, but for errors.ts and config.ts.
 */
const ground = ['generated', 'errors', 'config'];
const rows = [...ground, 'platform', 'database', 'repositories'];
const floor = [...rows, 'access', 'calendar', 'domain', 'views'];

const imports = {
  generated: [],
  client: ['generated'],
  errors: ['generated'],
  config: ['errors'],
  platform: ground,
  database: [...ground, 'platform'],
  repositories: [...ground, 'platform', 'database'],
  calendar: rows,
  access: rows,
  views: [...rows, 'calendar'],
  domain: [...rows, 'access', 'calendar'],
  webhooks: rows,
  jobs: [...floor, 'webhooks'],
  http: floor,
  /** What is served over HTTP shares how input is validated and how failures are answered. */
  mcp: [...floor, 'http'],
  pages: [...floor, 'http'],
  /** Its commands look into the queues. */
  staff: [...floor, 'jobs'],
};

/** Where each lies, as the beginning of a path from the project's root. */
const places = Object.fromEntries(
  Object.keys(imports).map((name) => {
    if (name === 'generated') return [name, 'generated/'];
    return [name, name === 'errors' || name === 'config' ? `src/${name}.ts` : `src/${name}/`];
  }),
);

module.exports = { imports, places };
