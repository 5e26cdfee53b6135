/**
 * What `npm test` leaves out and `npm run test:rest` runs: the tests of pages, console and commands, of
 * calendars that are read, of the service's processes and of the package, and of the others the files
 * that need a browser, another program or many restarts. What remains holds the guarantees of the
 * interface, the domain, the database, the jobs, the mails and the connector.
 */
const folders = [
  'client',
  'console',
  'icalendar',
  'journeys',
  'operations',
  'pages',
  'staff',
  'support',
];

const files = [
  'contract/generated-client.test.ts',
  'database/embedded-crash.test.ts',
  'database/embedded-start.test.ts',
  'domain/zone-data-processes.test.ts',
  'http/live-stream/browser.test.ts',
  'mail/looks.test.ts',
  'mcp/view-artists.test.ts',
  'mcp/view-clock.test.ts',
  'mcp/view-hosts.test.ts',
  'mcp/view-looks.test.ts',
  'mcp/view.test.ts',
];

/** Folders and files of `test`. */
export const longerTests = [...folders, ...files];

/** `file`: its path in `test`. */
export function isLonger(file: string): boolean {
  return files.includes(file) || folders.some((folder) => file.startsWith(`${folder}/`));
}
