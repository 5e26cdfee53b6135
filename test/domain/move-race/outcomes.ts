import { changesOf, isMoveTo } from './history.js';
import type { RaceResult } from './race.js';

/**
 * The milliseconds of each operation, by its kind and outcome (`move: made`). Whether a move was made
 * or nothing was left to do is seen in the events.
 */
export function timesByOutcome({ history, attempts }: RaceResult): Map<string, number[]> {
  const times = new Map<string, number[]>();
  const add = (name: string, milliseconds: number) => {
    const others = times.get(name);
    if (others === undefined) times.set(name, [milliseconds]);
    else others.push(milliseconds);
  };
  const changes = changesOf(history.events);
  const expiring = new Set(
    history.events.filter(({ type }) => type === 'hold.expired').map((event) => event.transaction),
  );
  for (const { kind, outcome, move, milliseconds } of attempts) {
    if (move === undefined || outcome !== 'returned') {
      add(`${kind}: ${outcome}`, milliseconds);
      continue;
    }
    const next = changes.get(`${move.id} ${move.sequence + 1}`);
    const isMade = next !== undefined && isMoveTo(next, move.to);
    add(`${kind}: ${isMade ? 'made' : 'nothing to do'}`, milliseconds);
    if (isMade && expiring.has(next.transaction)) {
      add('move to the slot of a lapsed hold: made', milliseconds);
    }
  }
  return new Map([...times].sort(([one], [other]) => (one < other ? -1 : 1)));
}
