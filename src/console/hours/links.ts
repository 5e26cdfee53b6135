export const hoursPath = '/console/hours';

/** The form that closes dates. */
export const newClosurePath = '/console/closures/new';

/** The same, for one date. */
export function linkToNewClosure(date: string): string {
  return `${newClosurePath}?date=${date}`;
}

export function linkToClosure(id: string): string {
  return `/console/closures/${id}`;
}
