/** What the pages of bookings and days say after a change, by the `done` of their address. */
export const doneMessages = {
  added: 'Added.',
  'added-closed': 'Added. The studio is closed then.',
  'added-busy': 'Added. Your calendar is busy then.',
  'added-no_session': 'Added. The weekly schedule has no session then.',
  cancelled: 'Cancelled. The slot is free again.',
  moved: 'Moved. The slot that it had is free again.',
  'moved-closed': 'Moved. The studio is closed then.',
  'moved-busy': 'Moved. Your calendar is busy then.',
  'moved-no_session': 'Moved. The weekly schedule has no session then.',
  missed: 'Recorded: the person did not come.',
  'not-missed': 'No longer a no-show.',
  forgotten: 'The personal data is erased.',
} as const;

export type Done = keyof typeof doneMessages;
