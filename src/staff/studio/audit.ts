import { listStudioAudit } from '../../domain/studio/lists.js';
import type { StaffCommand } from '../command.js';
import { table } from '../text.js';

export function addAuditCommands(program: StaffCommand): void {
  const audit = program
    .command('audit')
    .concerns('owner')
    .description('who changed what, and when');

  audit
    .command('list')
    .description('list changes by studio commands and nightly jobs, newest first')
    .withLimit('changes', 100_000, 50)
    .explain('\nExamples:\n  studio audit list\n  studio audit list --limit 500 --json')
    .run(async ({ services, print, at }, { limit }: { limit: number }) => {
      const { rows } = await listStudioAudit(services, { limit });
      const data = rows.map(({ id, occurred_at, actor, action, details }) => {
        return { id, occurred_at, actor, action, details };
      });
      const cells = rows.map(({ occurred_at, actor, action, details }) => {
        return [at(occurred_at), actor, action, detailsText(details)];
      });
      print(data, () => table(['WHEN', 'WHO', 'WHAT', 'DETAILS'], cells, 'No changes yet.'));
    });
}

function detailsText(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
