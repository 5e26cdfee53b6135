/**
 * What `npm test` leaves out and `npm run test:rest` runs: the tests of pages, console and commands, of
 * the service's processes and of the package, and the files beside them that need a browser or more
 * than half a minute. What remains holds each guarantee of the interface, the domain, the database,
 * the jobs, the mails and the connector.
 */
const folders = ['client', 'console', 'journeys', 'operations', 'pages', 'staff', 'support'];

const files = [
  'http/live-stream/browser.test.ts',
  'mail/looks.test.ts',
  'mcp/view-artists.test.ts',
  'mcp/view-clock.test.ts',
  'mcp/view-hosts.test.ts',
  'mcp/view-looks.test.ts',
  'mcp/view.test.ts',
];

/** `file`: its path in `test`. */
export function isLonger(file: string): boolean {
  return files.includes(file) || folders.some((folder) => file.startsWith(`${folder}/`));
}
