import type { Command } from 'commander';
import type { AuditRow } from '../../database/schema.js';
import { listStudioAudit } from '../../domain/studio-lists.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { wholeNumber } from '../arguments.js';
import { printResult, withSession, type CommandContext } from '../command-context.js';
import { localTime, table } from '../text.js';

export function addAuditCommands(program: Command, commandContext: CommandContext): void {
  const audit = program.command('audit').description('who changed what, and when');

  audit
    .command('list')
    .description('list changes by studio commands and nightly jobs, newest first')
    .option('--limit <n>', 'show at most n changes', wholeNumber(1, 100_000), 50)
    .addHelpText(
      'after',
      '\nExamples:\n  studio audit list\n  studio audit list --limit 500 --json',
    )
    .action(({ limit }: { limit: number }) =>
      withSession(commandContext, async ({ services }) => {
        const { rows } = await listStudioAudit(services, { limit });
        const { timezone } = await readStudio(services.database);
        printResult(commandContext, rows.map(auditData), () =>
          rows.length === 0
            ? ['No changes yet.']
            : table(
                ['WHEN', 'WHO', 'WHAT', 'DETAILS'],
                rows.map(({ occurred_at, actor, action, details }) => [
                  localTime(occurred_at, timezone),
                  actor,
                  action,
                  detailsText(details),
                ]),
              ),
        );
      }),
    );
}

function auditData({ id, occurred_at, actor, action, details }: AuditRow) {
  return { id, occurred_at, actor, action, details };
}

function detailsText(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
