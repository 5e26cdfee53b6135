/**
 * An SMTP server that accepts every mail. On a message with a count, it reports the time and the
 * recipient of each, once that many mails have arrived. A mail arrives with the end of DATA.
 */
import { SMTPServer } from 'smtp-server';

export interface Arrival {
  /** When the whole mail was there, on the monotonic clock. */
  at: number;
  recipient: string;
}

let expected = Infinity;
let arrivals: Arrival[] = [];

const server = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData(stream, session, callback) {
    stream.resume();
    stream.once('end', () => {
      const at = Number(process.hrtime.bigint()) / 1e6;
      arrivals.push({ at, recipient: session.envelope.rcptTo[0]?.address ?? '' });
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
