import { bool, cleanEnv, type CleanedEnv, port, str } from 'envalid';
import { StartError } from '../errors.js';
import {
  isAddressWith,
  cidrRanges,
  contactUri,
  databaseUrlHint,
  httpUrl,
  isDatabaseUrl,
  isLoopbackHost,
  mailAddress,
  origins,
  scheduleSeconds,
  secret,
  share,
  smtpUrl,
  textWhere,
  whole,
  withoutAddresses,
  type MailSettings,
} from './validators.js';

/** A wrong or missing environment variable. The message is a sentence for the operator. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

const optional = { default: undefined };
const rate = whole(1, 1_000_000_000);
const amount = whole(1, 1_000_000);

/**
 * The settings, by their names in `Config`: the variable of `holdLifetimeSeconds` is
 * HOLD_LIFETIME_SECONDS. An optional one that is not given is null.
 */
const settings = {
  host: str({ default: '127.0.0.1' }),
  port: port({ default: 3000 }),
  publicBaseUrl: httpUrl(optional),
  /** null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: textWhere(isDatabaseUrl, databaseUrlHint)(optional),
  dataDir: textWhere(
    (text) => !text.includes('://'),
    'a folder, not an address',
  )({
    default: './data',
  }),
  redisUrl: textWhere(
    isAddressWith(/^rediss?:$/),
    'an address such as redis://host:6379',
  )(optional),
  role: str({ choices: ['all', 'api', 'worker'], default: 'all' }),
  /** null: generated into `dataDir`. */
  secretKey: secret(optional),
  secretKeyPrevious: secret(optional),
  /** CIDR ranges of the proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: cidrRanges({ default: [] }),
  /** The address where vulnerabilities are reported. null: the studio's e-mail address. */
  securityContact: contactUri(optional),
  /** The studio's own privacy policy, to which `/privacy` leads. null: a page of the service. */
  privacyUrl: textWhere(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text),
    'an address such as https://studio.example/privacy',
  )(optional),
  logLevel: str({
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
  }),
  holdLifetimeSeconds: whole(1, 86_400)({ default: 900 }),
  readsPerMinuteAnonymous: rate({ default: 60 }),
  readsPerMinuteKeyed: rate({ default: 600 }),
  writesPerHourAnonymous: rate({ default: 5 }),
  writesPerHourKeyed: rate({ default: 30 }),
  maxPendingHolds: amount({ default: 30 }),
  maxPendingHoldsPerCaller: amount({ default: 10 }),
  maxLiveBookingsPerPerson: amount({ default: 3 }),
  /** null: `liveBookingsPerCaller` by default. */
  maxLiveBookingsPerCaller: amount(optional),
  minNoticeMinutes: whole(0, 525_600)({ default: 60 }),
  bookingHorizonDays: whole(1, 730)({ default: 180 }),
  /** The hours before its start until which the person may move a confirmed session. */
  moveNoticeHours: whole(0, 8_760)({ default: 24 }),
  /** How many times the person may move a confirmed session. */
  maxMoves: whole(0, 1_000)({ default: 2 }),
  /** Personal data is erased this long after a hold expired or a booking was cancelled. */
  retentionUnconfirmedDays: whole(0, 36_500)({ default: 30 }),
  /** Personal data is erased this long after the session of a confirmed booking. */
  retentionConfirmedDays: whole(0, 36_500)({ default: 365 }),
  maxStreams: amount({ default: 10_000 }),
  /** The mean delay above which new requests get 503, beyond half a second; 0 for never. */
  maxEventLoopDelayMs: whole(0, 3_600_000)({ default: 1_000 }),
  maxStreamsPerAddress: amount({ default: 10 }),
  /** null: derived from the limit of file descriptors. */
  maxConnectionsPerAddress: amount(optional),
  metricsPort: port(optional),
  /** The endpoint of OpenTelemetry's exporter, which reads the environment itself. null: no traces. */
  otelExporterOtlpEndpoint: textWhere(
    isAddressWith(/^https?:$/),
    'an address such as http://127.0.0.1:4318',
  )(optional),
  otelServiceName: str({ default: 'tattoo-studio-booking' }),
  /** The share of requests that are traced, from 0 to 1. */
  otelTracesSamplerArg: share({ default: 1 }),
  webhookAllowPrivateTargets: bool(optional),
  webhookRetryScheduleSeconds: scheduleSeconds({
    default: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  }),
  mcpAllowedOrigins: origins({ default: [] }),
  /** Origins of websites that may frame `/book`. */
  embedOrigins: origins({ default: [] }),
  smtpUrl: smtpUrl(optional),
  mailFrom: mailAddress(optional),
  /** What confirming requires: the link, or also a code from the mailbox of the hold. */
  confirmation: str({ choices: ['link', 'code'], default: 'link' }),
  /** The hours before its start at which a person is reminded of a session; 0: never. */
  reminderHours: whole(0, 720)({ default: 24 }),
  mailRetryScheduleSeconds: scheduleSeconds({
    default: [60, 300, 1800, 7200, 21_600, 43_200, 86_400],
  }),
  /** Codes that are sent in the whole studio. */
  maxCodesPerHour: amount({ default: 200 }),
};

type Given = CleanedEnv<typeof settings>;
type Settings = {
  [Name in keyof typeof settings]: undefined extends Given[Name]
    ? NonNullable<Given[Name]> | null
    : Given[Name];
};

/** The settings, read from the environment once at start. */
export interface Config extends Omit<Settings, 'smtpUrl' | 'mailFrom'> {
  /** The origin of all absolute URLs. */
  publicBaseUrl: string;
  webhookAllowPrivateTargets: boolean;
  /** Whether mail is on, and what proof is asked, the database records: see `InstallationMode`. */
  mail: MailSettings | null;
}

export type ConfirmationProof = Config['confirmation'];
export type LogLevel = Config['logLevel'];

/**
 * Parses the environment. Throws `ConfigError` with one line per wrong variable, without values that
 * may be secrets.
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const { smtpUrl: smtp, mailFrom: from, ...others } = readVariables(environment);
  if (others.databaseUrl !== null && others.secretKey === null) {
    throw new ConfigError('SECRET_KEY is required together with DATABASE_URL.');
  }
  if ((smtp === null) !== (from === null)) {
    throw new ConfigError(
      'SMTP_URL and MAIL_FROM are required together; without both, mail is off.',
    );
  }
  if (others.confirmation === 'code' && smtp === null) {
    throw new ConfigError(
      'CONFIRMATION=code needs mail: set SMTP_URL and MAIL_FROM, or CONFIRMATION=link.',
    );
  }
  const publicBaseUrl = others.publicBaseUrl ?? originOf(others.host, others.port);
  return {
    ...others,
    publicBaseUrl,
    webhookAllowPrivateTargets:
      others.webhookAllowPrivateTargets ??
      // A worker does not know the address on which the API listens.
      (others.role !== 'worker' &&
        isLoopbackHost(others.host) &&
        isLoopbackHost(new URL(publicBaseUrl).hostname)),
    mail: smtp === null || from === null ? null : { smtp, from },
  };
}

function readVariables(environment: Record<string, string | undefined>): Settings {
  const names = Object.keys(settings) as (keyof Settings)[];
  // An empty variable (`PORT=`) means the default, as in a copied .env.example.
  const given = names.map((name) => [name, environment[variableOf(name)] || undefined]);
  const cleaned = cleanEnv(Object.fromEntries(given), settings, {
    reporter: ({ errors }) => refuse(errors, environment),
  });
  return Object.fromEntries(names.map((name) => [name, cleaned[name] ?? null])) as Settings;
}

/** The variable of a setting: `HOLD_LIFETIME_SECONDS` for `holdLifetimeSeconds`. */
function variableOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function refuse(errors: object, environment: Record<string, string | undefined>): void {
  const lines = Object.entries(errors as Record<string, Error>).map(([name, { message }]) => {
    const value = environment[variableOf(name)] ?? '';
    const credentials = [value, ...value.split(/\s*,\s*/)].filter((each) => each.includes('@'));
    return `${variableOf(name)} ${withoutAddresses(message, credentials)}.`;
  });
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
}

/** The default origin, as browsers send it: without port 80, and `localhost` for `0.0.0.0`. */
function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`).origin;
}
