import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { addAddCommand } from './bookings/add.js';
import { addCancelCommand } from './bookings/cancel.js';
import { addConflictsCommand } from './bookings/conflicts.js';
import { addCorrectCommand } from './bookings/correct.js';
import { addForgetCommand } from './bookings/forget.js';
import { addListCommands } from './bookings/list.js';
import { addMoveCommand } from './bookings/move.js';
import { addNoShowCommand } from './bookings/no-show.js';

export function addBookingCommands(program: Command, commandContext: CommandContext): void {
  const bookings = program
    .command('bookings')
    .description('holds and bookings, with their personal data');
  addListCommands(bookings, commandContext);
  addConflictsCommand(bookings, commandContext);
  addAddCommand(bookings, commandContext);
  addMoveCommand(bookings, commandContext);
  addCorrectCommand(bookings, commandContext);
  addCancelCommand(bookings, commandContext);
  addNoShowCommand(bookings, commandContext);
  addForgetCommand(bookings, commandContext);
}
