/**
 * An SMTP server that accepts every mail. On a message with a count, it reports the time, the recipient
 * and the size of each, once that many mails have arrived. A mail arrives with the end of DATA.
 */
import { SMTPServer } from 'smtp-server';
import type { Arrival } from '../probes/mail-server.js';

let expected = Infinity;
let arrivals: Arrival[] = [];

const server = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData(stream, session, callback) {
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
    stream.once('end', () => {
      const at = Number(process.hrtime.bigint()) / 1e6;
      arrivals.push({ at, recipient: session.envelope.rcptTo[0]?.address ?? '', bytes });
      callback();
      if (arrivals.length === expected) process.send?.({ arrivals });
    });
  },
});
// A client that closes its connections without a farewell.
server.on('error', () => undefined);

process.on('message', (count: number) => {
  expected = count;
  arrivals = [];
  process.send?.('expecting');
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
