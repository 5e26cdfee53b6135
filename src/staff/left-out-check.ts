import { listMissing, type Missing } from '../domain/transfer/left-out.js';
import type { LeftOut } from '../repositories/transfer.js';
import { type Finding, ok, warning } from './failure.js';
import type { Session } from './session.js';
import { count } from './text.js';

const namedLimit = 10;

/** `2 watched calendars (Ada, Jon), 1 API key`. */
export function leftOutText(leftOut: readonly (LeftOut | Missing)[]): string {
  const texts = leftOut.map(({ kind, names, ...each }) => {
    const of =
      'of' in each && each.of > each.count ? `${each.count} of ${count(each.of, kind)}` : '';
    const more = names.length > namedLimit ? ', …' : '';
    const named = names.length > 0 ? ` (${names.slice(0, namedLimit).join(', ')}${more})` : '';
    return `${of || count(each.count, kind)}${named}`;
  });
  return texts.join(', ');
}

/** Warns of what an imported export left out until as many are there again, or it is dismissed. */
export async function checkLeftOut({ services }: Session): Promise<Finding> {
  const missing = await listMissing(services.database);
  return missing.length === 0
    ? ok('Nothing is missing that an imported export left out.')
    : warning(
        `The export that was imported left out what is not here again: ${leftOutText(missing)}. Make it again, or run "studio left-out dismiss" if it is not needed.`,
      );
}
