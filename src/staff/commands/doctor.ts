import { StartError } from '../../errors.js';
import { nodeSupport } from '../../platform/node-support.js';
import { checks } from '../checks.js';
import type { Terminal } from '../command-context.js';
import type { StaffCommand } from '../command.js';
import { failure, type Finding, ok, StaffError, warning } from '../failure.js';
import { openDatabase, withServedAddress, withServices } from '../session.js';
import { count } from '../text.js';

type NamedFinding = Finding & { check: string };

const marks = { ok: '✓', warning: '!', failure: '✗' } as const;

export function addDoctorCommand(program: StaffCommand): void {
  program
    .command('doctor')
    .description('check settings, database, migrations, queues, clocks and disk; change nothing')
    .explain(`
Exits with 5 if a check fails, and with 0 if there are only warnings.

Examples:
  studio doctor
  studio doctor --json`)
    .runWithoutDatabase(async ({ context, print }) => {
      const findings = await runChecks(context.environment);
      const wrong = findings.filter(({ status }) => status === 'failure').length;
      const lines = findings.map(
        ({ check, status, message }) => `${marks[status]} ${check.padEnd(13)} ${message}`,
      );
      print({ healthy: wrong === 0, checks: findings }, () => lines);
      if (wrong > 0) throw new StaffError('unhealthy', `${count(wrong, 'check')} failed.`);
    });
}

async function runChecks(environment: Terminal['environment']): Promise<NamedFinding[]> {
  const opened = await openDatabase(environment, { mayCreate: false }).catch((error: unknown) => {
    if (error instanceof StartError) return error;
    throw error;
  });
  if (opened instanceof Error) {
    return [{ check: 'configuration', ...failure(opened.message) }];
  }
  const withoutAddress = withServices(opened);
  // What keeps it from being read is the checks' to tell.
  const session = await withServedAddress(withoutAddress, environment).catch(() => withoutAddress);
  try {
    const { isOver, sentence } = nodeSupport(session.services.clock.now());
    const findings: NamedFinding[] = [
      { check: 'configuration', ...ok(`PUBLIC_BASE_URL is ${session.config.publicBaseUrl}.`) },
      { check: 'node', ...(isOver ? warning : ok)(sentence) },
    ];
    for (const [name, run] of Object.entries(checks)) {
      const found = await run(session).catch((error: Error) => failure(error.message));
      findings.push({ check: name, ...found });
    }
    return findings;
  } finally {
    await session.close();
  }
}
