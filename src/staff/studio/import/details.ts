import {
  type GivenPerson,
  isAllowed,
  maxLengthOf,
  type PersonMember,
  personMembers,
} from '../../../domain/booking/person.js';
import { maxNoteLength } from '../../../domain/studio/correction.js';

/** A person from a file: details that cannot be stored are in the note. */
export interface ReadPerson {
  person: GivenPerson;
  /** The note for the studio; null without one. */
  note: string | null;
  /** The content of the note and its reasons, in words. */
  told: string[];
}

const optional = personMembers.filter((member) => member !== 'name');

const labels: Readonly<Record<PersonMember, string>> = {
  name: 'Name',
  email: 'E-mail address',
  phone: 'Phone',
  pronouns: 'Pronouns',
  idea: 'Idea',
};

/** The usual texts for an empty value. */
const isNone = /^(?:[-–—.?]+|0+|#?n\.?\/?a\.?|none|null|nil|undefined|unknown)$/i;

/** Reads the texts of a row. A text that cannot be stored never costs the row. */
export function readPerson(
  texts: Readonly<Record<PersonMember, string>>,
  isOwn: (email: string) => boolean,
): ReadPerson {
  const person: GivenPerson = { name: texts.name, email: null };
  const noted: string[] = [];
  const told: string[] = [];
  const put = (member: PersonMember, text: string, why: string) => {
    noted.push(`${labels[member]}: ${text}`);
    told.push(`${why} is in the studio's note`);
  };
  for (const member of optional) {
    // PostgreSQL stores neither.
    const text = texts[member].replace(/[\0\p{Cs}]/gu, '').trim();
    const shown = `"${text.slice(0, 60)}"`;
    if (text === '' || (member !== 'idea' && isNone.test(text))) continue;
    if (member === 'email' && isOwn(text)) {
      told.push(`${text} is the studio's own address`);
    } else if (member === 'phone') {
      const { number, isWhole, isLost } = readPhone(text);
      if (number !== null) person.phone = number;
      if (isLost) put(member, text, `digits of the phone number are lost: ${shown}`);
      else if (!isWhole) put(member, text, `the phone number ${shown}`);
    } else if (isAllowed(member, text)) {
      person[member] = text;
    } else if (member === 'idea') {
      const characters = [...text];
      const most = maxLengthOf('idea');
      person.idea = characters.slice(0, most).join('');
      put(member, `… ${characters.slice(most).join('').trim()}`, 'the end of the idea');
    } else {
      put(member, text, `the ${labels[member].toLowerCase()} ${shown}`);
    }
  }
  const note = [...noted.join('\n')];
  const left = note.length - maxNoteLength;
  if (left > 0) told.push(`${left} characters are in neither, only in the file`);
  return { person, note: note.slice(0, maxNoteLength).join('') || null, told };
}

interface ReadPhone {
  /** A number that can be stored; null if there is none. */
  number: string | null;
  /** Whether the text is nothing but the number. */
  isWhole: boolean;
  isLost: boolean;
}

/** `15035550141.0` and `1.5035550143E+10`, as spreadsheets and programs write whole numbers. */
const float = /^(\d+)(?:[.,](\d+))?(?:E\+?(\d{1,2}))?$/i;
/** Ten or eleven digits, the words before, and what is behind them. */
const number = /^([^\d+]*)(\+?(?:\d[\s.()\p{Pd}]*){10,11})(?!\d)(.*)$/su;
const isNoise = /^[\s\p{P}]{0,9}(?:tel|phone|mobile|cell|home|work)?[\s\p{P}]{0,9}$/iu;
/** The fewest decimals of an exact number: a spreadsheet rounds numbers to fit their column. */
const sureDecimals = 8;

function readPhone(text: string): ReadPhone {
  const unread = { number: null, isWhole: false, isLost: false };
  const [, whole = '', decimals = '', power] = float.exec(text) ?? [];
  const exponent = Number(power ?? 0);
  if (power !== undefined && decimals.length < Math.min(exponent, sureDecimals)) {
    return { ...unread, isLost: true };
  }
  const isFloat = whole !== '' && /^0*$/.test(decimals.slice(exponent));
  const plain = isFloat ? whole + decimals.slice(0, exponent).padEnd(exponent, '0') : text;
  const [, before = '', found = '', rest = ''] = number.exec(plain.normalize('NFKC')) ?? [];
  // More digits, without a word between, belong to the number, which is foreign then.
  if (found === '' || /^[\s.\p{Pd}]*\d/u.test(rest) || !isAllowed('phone', found)) return unread;
  const isWhole = [before, rest].every((words) => isNoise.test(words));
  return { number: found, isWhole, isLost: false };
}
