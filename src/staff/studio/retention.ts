import { readNight, resumeRetention } from '../../domain/studio/retention.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { heldBackText } from '../operator/database-checks.js';

export function addRetentionCommands(program: StaffCommand): void {
  program
    .command('retention')
    .concerns('owner')
    .description('the deletion of what is past its retention')
    .command('resume')
    .description('let it resume after a pause of the service, once the clock is known to be right')
    .explain(`
The service deletes nothing by age when its clock is more than three days past the last night that it
knows: the clock may be ahead, and what is deleted is lost. Check the date in the question, and answer
yes if it is right. The running service then deletes what is due within a minute. Without this
command, it does so after it has run for three days.

Example:
  studio retention resume`)
    .run(async ({ services, actor, confirm, print }) => {
      const { night, heldAfter } = await readNight(services.database);
      if (heldAfter === null) {
        throw new StaffError('refused', 'No deletion is held back: the clock is plausible.');
      }
      await confirm(
        `${heldBackText(night, heldAfter)} Is ${night} right? What is past its retention by then is deleted for good.`,
      );
      await resumeRetention(services, actor, { night });
      print({ resumed: night, held_after: heldAfter }, () => [
        `What is past its retention on ${night} is deleted within a minute, while the service runs.`,
      ]);
    });
}
