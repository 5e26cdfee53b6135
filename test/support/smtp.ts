import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { SmtpSettings } from '../../src/config/validators.js';
import { selfSigned } from './self-signed.js';
import type { Scope } from './service-log.js';

/**
 * When a server can misbehave: before the greeting, instead of the reply to a command, while it
 * receives the message, and after the end of the message, before the reply.
 */
export type SmtpStage = 'greeting' | 'MAIL' | 'RCPT' | 'DATA' | 'content' | 'end';

export type SmtpFault =
  /** This reply; 421 and one to the connection close it. */
  | Reply
  /** Closes the connection. */
  | 'cut'
  /** Never answers. */
  | 'silence'
  /** An endless reply, a byte at a time. */
  | 'trickle'
  /** Continues when the promise resolves. */
  | { until: Promise<unknown> };

interface Reply {
  code: number;
  text?: string;
}

export interface SmtpMoment {
  stage: SmtpStage;
  /** From 1. */
  connection: number;
  /** How many mails were begun, this one included, over all connections: 0 for the first greeting. */
  attempt: number;
  /** Once RCPT was accepted. */
  recipient: string | null;
  /** At `end`. */
  mail: ReceivedMail | null;
}

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As sent in DATA, without the dots of RFC 5321, section 4.5.2. */
  raw: Buffer;
  parsed(): Promise<Email>;
  /** Of `connection` of `SmtpMoment`. */
  connection: number;
  /** Whether it came over TLS. */
  secure: boolean;
  /** Who had logged in. */
  user: string | null;
}

export interface SmtpOptions {
  /** 'starttls' by default; its certificate is self-signed. */
  tls?: 'none' | 'HELO only' | 'starttls' | 'implicit';
  /** If given, nothing is accepted before this login. */
  credentials?: { user: string; password: string };
  misbehave?: Plan;
}

type Plan = (moment: SmtpMoment) => SmtpFault | null;

type Connection = SMTPServer['connections'] extends Set<infer C> ? C : never;

/** An SMTP server on a free loopback port, which can misbehave, until the end of the scope. */
export async function startSmtp(
  t: Scope,
  { tls = 'starttls', credentials, misbehave }: SmtpOptions = {},
) {
  const received: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const numbers = new WeakMap<object, number>();
  let plan: Plan | null = misbehave ?? null;
  let isRefusing = false;
  let connectionCount = 0;
  let attempt = 0;

  const server = new SMTPServer({
    ...selfSigned,
    secure: tls === 'implicit',
    disabledCommands: [
      ...(tls === 'none' ? ['STARTTLS'] : []),
      ...(tls === 'HELO only' ? ['EHLO'] : []),
      ...(credentials ? [] : ['AUTH']),
    ],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: {
      debug: (entry: { tnx?: string }, _format: string, line: string) => {
        if (entry.tnx === 'command') commands.push(line);
      },
    },
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === credentials?.user && password === credentials?.password;
      callback(null, isKnown ? { user: username } : { message: 'Unknown' });
    },
    onConnect(session, callback) {
      const connection = connectionOf(session);
      if (!connection) return;
      numbers.set(connection, (connectionCount += 1));
      wrapCommands(connection);
      at('greeting', connection, callback, (fault) => callback(smtpError(fault)));
    },
    onData(stream, session, callback) {
      const connection = connectionOf(session);
      if (!connection) return;
      const { mailFrom, rcptTo } = session.envelope;
      const chunks: Buffer[] = [];
      let parsed: Promise<Email> | undefined;
      const ended = new Promise<void>((resolve) => stream.once('end', resolve));
      const refuse = (fault: Reply): void => callback(smtpError(fault));
      const end = (): void => {
        const raw = Buffer.concat(chunks);
        const mail: ReceivedMail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
          parsed: () => (parsed ??= PostalMime.parse(raw)),
          connection: numbers.get(connection) ?? 0,
          secure: connection.secure,
          user: (session.user as string | undefined) ?? null,
        };
        at('end', connection, callback, refuse, mail);
      };
      stream.on('data', (chunk: Buffer) => {
        if (chunks.push(chunk) > 1) return;
        // smtp-server replies after the end of the message.
        at('content', connection, () => void ended.then(end), refuse);
      });
    },
  });
  server.on('error', () => undefined);
  const connectionOf = (session: object): Connection | undefined =>
    [...server.connections].find((each) => each.session === session);

  /** Continues, or does what the plan says. A mail is received unless the plan is a reply. */
  const at = (
    stage: SmtpStage,
    connection: Connection,
    proceed: () => void,
    reply: (fault: Reply) => void,
    mail: ReceivedMail | null = null,
  ): void => {
    const recipient = connection.session.envelope?.rcptTo[0]?.address ?? null;
    const number = numbers.get(connection) ?? 0;
    const fault = plan?.({ stage, connection: number, attempt, recipient, mail }) ?? null;
    if (fault !== null && typeof fault === 'object' && 'code' in fault) return reply(fault);
    if (mail) received.push(mail);
    for (const check of waiting) check();
    if (fault === null) proceed();
    else if (fault === 'cut') connection._socket.destroy();
    else if (fault === 'trickle') trickle(connection._socket);
    else if (fault !== 'silence') void fault.until.then(proceed);
  };

  const wrapCommands = (connection: Connection): void => {
    for (const stage of ['MAIL', 'RCPT', 'DATA'] as const) {
      const handle = connection[`handler_${stage}`].bind(connection);
      connection[`handler_${stage}`] = (command, callback) => {
        if (stage === 'MAIL') attempt += 1;
        const proceed = (): void => handle(command, callback);
        at(stage, connection, proceed, ({ code, text = 'No' }) => {
          connection.send(code, text);
          callback();
        });
      };
    }
  };

  // In front of smtp-server, which cannot refuse connections.
  const listener = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isRefusing) {
      socket.resetAndDestroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    server.server.emit('connection', socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;

  const cutAll = (): void => {
    for (const connection of server.connections) {
      // Node crashes if the socket below a TLS handshake is destroyed; the client ends that one.
      if (!connection._upgrading) connection._socket.destroy();
    }
    for (const socket of server._pendingSockets.values()) socket.destroy();
  };
  const close = (): void => {
    cutAll();
    listener.close();
  };
  t.teardown(close);

  const login = credentials
    ? `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`
    : '';
  return {
    port,
    /** For the sender. */
    settings: {
      host: '127.0.0.1',
      port,
      implicitTls: tls === 'implicit',
      isLoopback: true,
      credentials: credentials ?? null,
    } satisfies SmtpSettings,
    /** As SMTP_URL. */
    url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${login}127.0.0.1:${port}`,
    /** What the server has accepted, or received whole before a fault at `end` other than a reply. */
    received: () => [...received],
    /** Resolves with all received mails once there are `count`. */
    waitFor: (count: number) =>
      new Promise<ReceivedMail[]>((resolve) => {
        const check = (): void => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve([...received]);
        };
        waiting.add(check);
        check();
      }),
    /** The commands of all clients, without passwords. */
    commands: () => [...commands],
    /** How many connections were accepted so far. */
    connectionCount: () => connectionCount,
    /** Resolves once no connection is open. */
    async allClosed() {
      for (const socket of sockets) {
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
      }
    },
    /** From now on. */
    misbehave(next: Plan | null) {
      plan = next;
    },
    /** Cuts all connections, and new ones at once, until `accept`. The port stays this server's. */
    refuse() {
      isRefusing = true;
      cutAll();
    },
    accept() {
      isRefusing = false;
    },
    /** Cuts all connections and closes the port. */
    close,
  };
}

export type Smtp = Awaited<ReturnType<typeof startSmtp>>;

function smtpError({ code, text = 'No' }: Reply): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** A reply of one endless line. */
function trickle(socket: Socket): void {
  socket.write('250-');
  const timer = setInterval(() => socket.write('x'), 10);
  socket.once('close', () => clearInterval(timer));
}
