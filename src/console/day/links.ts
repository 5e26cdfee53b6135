export function linkToDay(date: string): string {
  return `/console?date=${date}`;
}
