import t from 'tap';
import { initialsOf } from '../../src/calendar/initials.js';

t.test('initials are whole characters of any script, and never a whole name', (t) => {
  const expected: Record<string, string | null> = {
    'Ada Park': 'A. P.',
    'ada maria  de la park': 'A. P.',
    Ada: 'A.',
    '“Ada” (Park)': 'A. P.',
    'E\u0301milie O’Brien': 'E\u0301. O.',
    '🦊 Ada Fox': 'A. F.',
    '🦊👩‍👩‍👧': null,
    'آدا پارک': 'آ. پ.',
    김민수: '김.',
    'क्षमा शर्मा': initialsOf('क्षमा शर्मा'),
    '\u202eAda\u202c Park': 'A. P.',
    '𝒜da 3rd': '𝒜. 3.',
    ßen: 'SS.',
    '- .': null,
    '': null,
  };
  for (const [name, initials] of Object.entries(expected))
    t.equal(initialsOf(name), initials, name);
  t.match(initialsOf('क्षमा शर्मा'), /^क[^\s]*\. श[^\s]*\.$/);
  t.end();
});
