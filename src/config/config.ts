import { bool, cleanEnv, port, str, type ReporterOptions } from 'envalid';
import { StartError } from '../errors.js';
import {
  cidrRanges,
  contactUri,
  httpUrl,
  isLoopbackHost,
  mailAddress,
  origins,
  scheduleSeconds,
  secret,
  share,
  smtpUrl,
  urlOf,
  whole,
  type MailSettings,
} from './validators.js';

/** A wrong or missing environment variable. The message is a sentence for the operator. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

export type Role = 'all' | 'api' | 'worker';

/** What confirming takes: the link, or also a code from the mailbox of the hold. */
export type ConfirmationProof = 'link' | 'code';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** The settings, read from the environment once at start (contract, "Running it"). */
export interface Config {
  host: string;
  port: number;
  /** The origin of all absolute URLs. */
  publicBaseUrl: string;
  /** null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  redisUrl: string | null;
  role: Role;
  /** null: generated into `dataDir`. */
  secretKey: string | null;
  secretKeyPrevious: string | null;
  /** CIDR ranges of the proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: string[];
  /** Where vulnerabilities are reported. null: the studio's e-mail address. */
  securityContact: string | null;
  logLevel: LogLevel;
  holdLifetimeSeconds: number;
  readsPerMinuteAnonymous: number;
  readsPerMinuteKeyed: number;
  writesPerHourAnonymous: number;
  writesPerHourKeyed: number;
  maxPendingHolds: number;
  maxPendingHoldsPerCaller: number;
  maxLiveBookingsPerPerson: number;
  /** null: `liveBookingsPerCaller` by default. */
  maxLiveBookingsPerCaller: number | null;
  minNoticeMinutes: number;
  bookingHorizonDays: number;
  /** Until how many hours before its start the person may move a confirmed session. */
  moveNoticeHours: number;
  /** How many times the person may move a confirmed session. */
  maxMoves: number;
  /** Personal data is erased this long after a hold expired or a booking was cancelled. */
  retentionUnconfirmedDays: number;
  /** Personal data is erased this long after the session of a confirmed booking. */
  retentionConfirmedDays: number;
  maxStreams: number;
  /** The mean delay over half a second above which new requests get 503; 0 for never. */
  maxEventLoopDelayMs: number;
  maxStreamsPerAddress: number;
  /** null: derived from the limit of file descriptors. */
  maxConnectionsPerAddress: number | null;
  metricsPort: number | null;
  /** Where OpenTelemetry's exporter sends traces; it reads the environment itself. null: off. */
  otelExporterOtlpEndpoint: string | null;
  /** The share of requests that are traced, from 0 to 1. */
  otelTracesSamplerArg: number;
  otelServiceName: string;
  webhookAllowPrivateTargets: boolean;
  webhookRetryScheduleSeconds: number[];
  mcpAllowedOrigins: string[];
  /** Origins of websites that may frame `/book`. */
  embedOrigins: string[];
  /** Whether mail is on, and what proof is asked, the database records: see `InstallationMode`. */
  mail: MailSettings | null;
  /** `code` only with the settings of mail. */
  confirmation: ConfirmationProof;
  /** How many hours before its start a session is reminded of; 0: never. */
  reminderHours: number;
  mailRetryScheduleSeconds: number[];
  /** Codes that are sent in the whole studio. */
  maxCodesPerHour: number;
}

/**
 * Parses the environment. Throws `ConfigError` with one line per wrong variable, without values that
 * may be secrets.
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const env = readVariables(environment);
  if (env.DATABASE_URL !== undefined && env.SECRET_KEY === undefined) {
    throw new ConfigError('SECRET_KEY is required together with DATABASE_URL.');
  }
  if ((env.SMTP_URL === undefined) !== (env.MAIL_FROM === undefined)) {
    throw new ConfigError(
      'SMTP_URL and MAIL_FROM are required together; without both, mail is off.',
    );
  }
  if (env.CONFIRMATION === 'code' && env.SMTP_URL === undefined) {
    throw new ConfigError(
      'CONFIRMATION=code needs mail: set SMTP_URL and MAIL_FROM, or CONFIRMATION=link.',
    );
  }
  const publicBaseUrl = env.PUBLIC_BASE_URL ?? originOf(env.HOST, env.PORT);
  return {
    host: env.HOST,
    port: env.PORT,
    publicBaseUrl,
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: env.DATA_DIR,
    redisUrl: env.REDIS_URL ?? null,
    role: env.ROLE,
    secretKey: env.SECRET_KEY ?? null,
    secretKeyPrevious: env.SECRET_KEY_PREVIOUS ?? null,
    trustProxy: env.TRUST_PROXY,
    securityContact: env.SECURITY_CONTACT ?? null,
    logLevel: env.LOG_LEVEL,
    holdLifetimeSeconds: env.HOLD_LIFETIME_SECONDS,
    readsPerMinuteAnonymous: env.READS_PER_MINUTE_ANONYMOUS,
    readsPerMinuteKeyed: env.READS_PER_MINUTE_KEYED,
    writesPerHourAnonymous: env.WRITES_PER_HOUR_ANONYMOUS,
    writesPerHourKeyed: env.WRITES_PER_HOUR_KEYED,
    maxPendingHolds: env.MAX_PENDING_HOLDS,
    maxPendingHoldsPerCaller: env.MAX_PENDING_HOLDS_PER_CALLER,
    maxLiveBookingsPerPerson: env.MAX_LIVE_BOOKINGS_PER_PERSON,
    maxLiveBookingsPerCaller: env.MAX_LIVE_BOOKINGS_PER_CALLER ?? null,
    minNoticeMinutes: env.MIN_NOTICE_MINUTES,
    bookingHorizonDays: env.BOOKING_HORIZON_DAYS,
    moveNoticeHours: env.MOVE_NOTICE_HOURS,
    maxMoves: env.MAX_MOVES,
    retentionUnconfirmedDays: env.RETENTION_UNCONFIRMED_DAYS,
    retentionConfirmedDays: env.RETENTION_CONFIRMED_DAYS,
    maxStreams: env.MAX_STREAMS,
    maxEventLoopDelayMs: env.MAX_EVENT_LOOP_DELAY_MS,
    maxStreamsPerAddress: env.MAX_STREAMS_PER_ADDRESS,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS ?? null,
    metricsPort: env.METRICS_PORT ?? null,
    otelExporterOtlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    otelTracesSamplerArg: env.OTEL_TRACES_SAMPLER_ARG,
    otelServiceName: env.OTEL_SERVICE_NAME,
    webhookAllowPrivateTargets:
      env.WEBHOOK_ALLOW_PRIVATE_TARGETS ??
      // A worker does not know the address on which the API listens.
      (env.ROLE !== 'worker' &&
        isLoopbackHost(env.HOST) &&
        isLoopbackHost(new URL(publicBaseUrl).hostname)),
    webhookRetryScheduleSeconds: env.WEBHOOK_RETRY_SCHEDULE_SECONDS,
    mcpAllowedOrigins: env.MCP_ALLOWED_ORIGINS,
    embedOrigins: env.EMBED_ORIGINS,
    mail:
      env.SMTP_URL === undefined || env.MAIL_FROM === undefined
        ? null
        : { smtp: env.SMTP_URL, from: env.MAIL_FROM },
    confirmation: env.CONFIRMATION,
    reminderHours: env.REMINDER_HOURS,
    mailRetryScheduleSeconds: env.MAIL_RETRY_SCHEDULE_SECONDS,
    maxCodesPerHour: env.MAX_CODES_PER_HOUR,
  };
}

function readVariables(environment: Record<string, string | undefined>) {
  // An empty variable (`PORT=`) means the default, as in a copied .env.example.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  return cleanEnv(
    given,
    {
      HOST: str({ default: '127.0.0.1' }),
      PORT: port({ default: 3000 }),
      PUBLIC_BASE_URL: httpUrl({ default: undefined }),
      DATABASE_URL: urlOf(
        /^postgres(ql)?:$/,
        'postgres://user:password@host/database',
      )({
        default: undefined,
      }),
      DATA_DIR: str({ default: './data' }),
      REDIS_URL: urlOf(/^rediss?:$/, 'redis://host:6379')({ default: undefined }),
      ROLE: str({ choices: ['all', 'api', 'worker'], default: 'all' }),
      SECRET_KEY: secret({ default: undefined }),
      SECRET_KEY_PREVIOUS: secret({ default: undefined }),
      TRUST_PROXY: cidrRanges({ default: [] }),
      SECURITY_CONTACT: contactUri({ default: undefined }),
      LOG_LEVEL: str({
        choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        default: 'info',
      }),
      HOLD_LIFETIME_SECONDS: whole(1, 86_400)({ default: 900 }),
      READS_PER_MINUTE_ANONYMOUS: whole(1, 1_000_000_000)({ default: 60 }),
      READS_PER_MINUTE_KEYED: whole(1, 1_000_000_000)({ default: 600 }),
      WRITES_PER_HOUR_ANONYMOUS: whole(1, 1_000_000_000)({ default: 5 }),
      WRITES_PER_HOUR_KEYED: whole(1, 1_000_000_000)({ default: 30 }),
      MAX_PENDING_HOLDS: whole(1, 1_000_000)({ default: 30 }),
      MAX_PENDING_HOLDS_PER_CALLER: whole(1, 1_000_000)({ default: 10 }),
      MAX_LIVE_BOOKINGS_PER_PERSON: whole(1, 1_000_000)({ default: 3 }),
      MAX_LIVE_BOOKINGS_PER_CALLER: whole(1, 1_000_000)({ default: undefined }),
      MIN_NOTICE_MINUTES: whole(0, 525_600)({ default: 60 }),
      BOOKING_HORIZON_DAYS: whole(1, 730)({ default: 180 }),
      MOVE_NOTICE_HOURS: whole(0, 8_760)({ default: 24 }),
      MAX_MOVES: whole(0, 1_000)({ default: 2 }),
      RETENTION_UNCONFIRMED_DAYS: whole(0, 36_500)({ default: 30 }),
      RETENTION_CONFIRMED_DAYS: whole(0, 36_500)({ default: 365 }),
      MAX_STREAMS: whole(1, 1_000_000)({ default: 10_000 }),
      MAX_EVENT_LOOP_DELAY_MS: whole(0, 3_600_000)({ default: 1_000 }),
      MAX_STREAMS_PER_ADDRESS: whole(1, 1_000_000)({ default: 10 }),
      MAX_CONNECTIONS_PER_ADDRESS: whole(1, 1_000_000)({ default: undefined }),
      METRICS_PORT: port({ default: undefined }),
      OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(
        /^https?:$/,
        'http://127.0.0.1:4318',
      )({ default: undefined }),
      OTEL_SERVICE_NAME: str({ default: 'tattoo-studio-booking' }),
      OTEL_TRACES_SAMPLER_ARG: share({ default: 1 }),
      WEBHOOK_ALLOW_PRIVATE_TARGETS: bool({ default: undefined }),
      WEBHOOK_RETRY_SCHEDULE_SECONDS: scheduleSeconds({
        default: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      }),
      MCP_ALLOWED_ORIGINS: origins({ default: [] }),
      EMBED_ORIGINS: origins({ default: [] }),
      SMTP_URL: smtpUrl({ default: undefined }),
      MAIL_FROM: mailAddress({ default: undefined }),
      CONFIRMATION: str({ choices: ['link', 'code'], default: 'link' }),
      REMINDER_HOURS: whole(0, 720)({ default: 24 }),
      MAIL_RETRY_SCHEDULE_SECONDS: scheduleSeconds({
        default: [60, 300, 1800, 7200, 21_600, 43_200, 86_400],
      }),
      MAX_CODES_PER_HOUR: whole(1, 1_000_000)({ default: 200 }),
    },
    { reporter: refuse },
  );
}

function refuse({ errors }: ReporterOptions<unknown>): void {
  const lines = Object.entries(errors as Record<string, Error>).map(
    ([name, error]) => `${name} ${error.message}.`,
  );
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
}

/** The default origin, as browsers send it: without port 80, and `localhost` for `0.0.0.0`. */
function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}`).origin;
}
