import { type Config, loadConfig } from '../../config/config.js';
import { createClock } from '../../platform/clock.js';
import { describeOutage, isDatabaseUnavailable } from '../../platform/database-errors.js';
import { nodeSupport } from '../../platform/node-support.js';
import type { Terminal } from '../command-context.js';
import type { StaffCommand } from '../command.js';
import { failure, type Finding, ok, StaffError, warning } from '../failure.js';
import { openDatabase, type Session, withServedAddress, withServices } from '../session.js';
import { count } from '../text.js';
import { checks, checksWithoutDatabase, prerequisites } from './checks.js';

type NamedFinding = Finding & { check: string };

const marks = { ok: '✓', warning: '!', failure: '✗' } as const;

export function addDoctorCommand(program: StaffCommand): void {
  program
    .command('doctor')
    .concerns('owner')
    .description('check settings, database, migrations, queues, clocks and disk; change nothing')
    .explain(`
A line begins with ✓ if nothing is wrong, with ! for a warning, and with ✗ for a failure. The command
exits with 5 if a check fails, and with 0 if there are only warnings.

Examples:
  studio doctor
  studio doctor --json`)
    .runWithoutDatabase(async ({ context, print }) => {
      const findings = await runChecks(context.environment);
      const wrong = findings.filter(({ status }) => status === 'failure').length;
      const lines = findings.map(
        ({ check, status, message }) => `${marks[status]} ${check.padEnd(16)} ${message}`,
      );
      print({ healthy: wrong === 0, checks: findings }, () => lines);
      if (wrong > 0) throw new StaffError('unhealthy', `${count(wrong, 'check')} failed.`);
    });
}

async function runChecks(environment: Terminal['environment']): Promise<NamedFinding[]> {
  let config: Config;
  try {
    config = loadConfig(environment);
  } catch (error) {
    return [{ check: 'configuration', ...failureOf(error) }];
  }
  const { isOver, sentence } = nodeSupport(createClock().now());
  const node = { check: 'node', ...(isOver ? warning : ok)(sentence) };
  const others = () => runAll(checksWithoutDatabase(config), config);
  const session = await openDatabaseSession(environment).catch(failureOf);
  if ('status' in session) return [node, { check: 'server', ...session }, ...(await others())];
  try {
    const address = ok(`PUBLIC_BASE_URL is ${session.config.publicBaseUrl}.`);
    const findings = [{ check: 'configuration', ...address }, node];
    for (const [check, run] of Object.entries(prerequisites)) {
      const found = await run(session).catch(failureOf);
      findings.push({ check, ...found });
      // All other checks of the database would fail for the same reason.
      if (found.status === 'failure') return [...findings, ...(await others())];
    }
    return [...findings, ...(await runAll(checks, session))];
  } finally {
    await session.close();
  }
}

async function openDatabaseSession(environment: Terminal['environment']): Promise<Session> {
  const session = withServices(await openDatabase(environment, { mayCreate: false }));
  // The checks report what keeps the address from being read.
  return withServedAddress(session, environment).catch(() => session);
}

async function runAll<Subject>(
  named: Readonly<Record<string, (subject: Subject) => Promise<Finding>>>,
  subject: Subject,
): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const [check, run] of Object.entries(named)) {
    findings.push({ check, ...(await run(subject).catch(failureOf)) });
  }
  return findings;
}

function failureOf(error: unknown): Finding {
  if (isDatabaseUnavailable(error)) return failure(describeOutage(error));
  return failure(error instanceof Error ? error.message : String(error));
}
