import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { addFeedCommands } from './calendar/feed.js';
import { addWatchCommands } from './calendar/watch.js';
import { addWhyCommand } from './calendar/why.js';

export function addCalendarCommands(program: Command, commandContext: CommandContext): void {
  const calendar = program
    .command('calendar')
    .description('the bookings in calendar programs, and calendars that close slots');
  addFeedCommands(calendar, commandContext);
  addWatchCommands(calendar, commandContext);
  addWhyCommand(calendar, commandContext);
}
