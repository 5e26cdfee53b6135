import t from 'tap';
import { windowsZones } from '../../generated/windows-zones.js';
import { createZones } from '../../src/icalendar/read/named-zones.js';
import { collectNotes } from '../../src/icalendar/read/notes.js';

const hourMs = 3_600_000;
const noon = Date.UTC(2026, 6, 1, 12);

/** The zone of a name, and its offsets in July: the greatest and the least that it may be. */
function found(name: string): [id: string, most: number, least: number, isTold: boolean] {
  const notes = collectNotes();
  const zones = createZones('America/Los_Angeles', [], { floating: null, notes });
  const { id, instantOf, latestOf = instantOf } = zones.named(name, 1);
  const offsets = [instantOf(noon), latestOf(noon)].map((instant) => (noon - instant) / hourMs);
  return [id, offsets[0]!, offsets[1]!, notes.unreadable().count > 0];
}

t.test('zones are found by the names that programs give them', (t) => {
  for (const [name, id, offset] of [
    ['america/new_york', 'America/New_York', -4],
    ['Eastern Daylight Time', 'America/New_York', -4],
    ['Pacific Standard Time 1', 'America/Los_Angeles', -7],
    ['Pacific Time (US & Canada)', 'America/Los_Angeles', -7],
    ['(GMT-08:00) Pacific Time (US & Canada); Tijuana', 'America/Los_Angeles', -7],
    ['(GMT+01.00) Amsterdam / Berlin / Bern', 'Europe/Amsterdam', 2],
    [String.raw`(UTC+05:30) Chennai\, Kolkata\, Mumbai`, 'Asia/Kolkata', 5.5],
    ['(UTC-07:00) Arizona', 'US/Arizona', -7],
    ['tzone://Microsoft/Utc', 'UTC', 0],
    ['/mozilla.org/20050126_1/America/Argentina/Ushuaia', 'America/Argentina/Ushuaia', -3],
    ['Argentina/Buenos_Aires', 'America/Buenos_Aires', -3],
    ['Mexico City', 'America/Mexico_City', -6],
    ['Eastern European Time', 'Europe/Athens', 3],
    ['UTC-5', 'UTC-5', -5],
    ['-0330', '-0330', -3.5],
    ['(UTC\u221202:00)', '(UTC\u221202:00)', -2],
  ] as const) {
    t.strictSame(found(name), [id, offset, offset, false], name);
  }
  t.end();
});

t.test('what a name leaves open is closed, and told', (t) => {
  t.strictSame(found('(UTC+03:00) Atlantis'), ['(UTC+03:00) Atlantis', 4, 3, true]);
  for (const name of ['Customized Time Zone', 'PST', 'UTC+25', 'constructor', 'a'.repeat(10_000)]) {
    t.strictSame(found(name), ['unknown', 14, -12, true], name.slice(0, 30));
  }
  t.end();
});

t.test('this Node.js knows each zone of the Windows table', (t) => {
  t.ok(windowsZones.size > 130);
  for (const name of windowsZones.keys()) t.not(found(name)[0], 'unknown', name);
  t.end();
});
