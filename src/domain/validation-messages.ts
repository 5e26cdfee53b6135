import type { Ajv, ErrorObject } from 'ajv';
import ajvFormats from 'ajv-formats';
import { isUuid } from '../platform/uuid.js';
import { isCalendarDate } from '../schedule/dates.js';
import { count } from '../schedule/words.js';

const formats: Record<string, string> = {
  date: 'a date that exists in the calendar, YYYY-MM-DD',
  'date-time': 'an RFC 3339 date and time with its offset, such as 2026-12-01T17:00:00Z',
  email: 'an e-mail address',
  uri: 'an absolute URI',
  'uri-reference': 'a URI or a relative reference',
  uuid: 'a UUID',
};

/** Adds the formats of `openapi.yaml`. */
export function addFormats(ajv: Ajv): void {
  ajvFormats.default(ajv);
  // The format of ajv-formats accepts `urn:uuid:`.
  ajv.addFormat('uuid', isUuid);
  // The format of ajv-formats accepts the year 0000.
  ajv.addFormat('date', isCalendarDate);
}

const maxNameLength = 60;

/** A client-supplied name for a response: truncated, with control characters replaced. */
export function shorten(name: string): string {
  const printable = [...name.slice(0, maxNameLength * 2)].map((character) =>
    /[\p{Cc}\p{Cs}]/u.test(character) ? '\uFFFD' : character,
  );
  return printable.length > maxNameLength
    ? `${printable.slice(0, maxNameLength).join('')}…`
    : printable.join('');
}

/**
 * The message for one error, to follow the member's path, such as "must be a UUID". It never
 * contains the value, which may be personal data.
 */
export function validationMessage(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return 'is required and missing';
    case 'additionalProperties':
      return unknownMember(String(params['additionalProperty']), error.parentSchema);
    case 'type':
      return `must be ${[params['type']].flat().map(typeName).join(' or ')}`;
    case 'enum':
      return oneOf(params['allowedValues'] as unknown[]);
    case 'format':
      return `must be ${formats[String(params['format'])] ?? `of the format ${String(params['format'])}`}`;
    case 'pattern':
      return patternMessage(error);
    case 'minLength':
      return params['limit'] === 1
        ? 'must not be empty'
        : `must have at least ${String(params['limit'])} characters`;
    case 'maxLength':
      return `must have at most ${String(params['limit'])} characters`;
    case 'minItems':
      return `must have at least ${count(Number(params['limit']), 'item')}`;
    case 'maxItems':
      return `must have at most ${count(Number(params['limit']), 'item')}`;
    case 'minProperties':
      return `must have at least ${count(Number(params['limit']), 'member')}`;
    case 'maxProperties':
      return `must have at most ${count(Number(params['limit']), 'member')}`;
    case 'uniqueItems':
      return 'must not list an item twice';
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${String(params['comparison'])} ${String(params['limit'])}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`;
    default:
      return 'does not have the documented form';
  }
}

function typeName(type: unknown): string {
  const name = String(type);
  if (name === 'null') return name;
  return /^[aio]/u.test(name) ? `an ${name}` : `a ${name}`;
}

function oneOf(values: unknown[]): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  return values.length === 1 ? `must be ${list}` : `must be one of ${list}`;
}

function unknownMember(name: string, parentSchema: ErrorObject['parentSchema']): string {
  const known = Object.keys((parentSchema?.['properties'] ?? {}) as object).join(', ');
  return `is not known, so remove ${JSON.stringify(shorten(name))}; known are: ${known || 'none'}`;
}

function patternMessage(error: ErrorObject): string {
  const text = String(error.data);
  if (text.includes('\0') || /\p{Cs}/u.test(text)) {
    return 'must not contain the null character (U+0000) or unpaired surrogates';
  }
  if (text.trim() === '') return 'must not be blank';
  const description: unknown = error.parentSchema?.['description'];
  return typeof description === 'string'
    ? `must be as documented: ${description.trim().replaceAll(/\s+/gu, ' ').replace(/\.$/u, '')}`
    : 'does not have the documented form';
}

/**
 * Replaces the errors of a failed `anyOf` or `oneOf` by those of the branch with the fewest errors.
 * Branches of another type are ignored; if no branch has the right type, only the error of the
 * keyword itself remains.
 */
export function keepClosestBranch(errors: ErrorObject[]): ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const union of errors) {
    if (union.keyword !== 'anyOf' && union.keyword !== 'oneOf') continue;
    const branches = new Map<string, ErrorObject[]>();
    for (const error of errors) {
      if (dropped.has(error) || !isWithin(error, union)) continue;
      const branch = error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0] as string;
      branches.set(branch, [...(branches.get(branch) ?? []), error]);
      dropped.add(error);
    }
    const nearest = [...branches.values()]
      .filter((branch) => !branch.some((error) => isTypeError(error, union)))
      .sort((one, other) => one.length - other.length)[0];
    if (nearest === undefined) continue;
    dropped.add(union);
    for (const error of nearest) dropped.delete(error);
  }
  return errors.filter((error) => !dropped.has(error));
}

function isWithin(error: ErrorObject, union: ErrorObject): boolean {
  return (
    error.schemaPath.startsWith(`${union.schemaPath}/`) &&
    `${error.instancePath}/`.startsWith(`${union.instancePath}/`)
  );
}

function isTypeError(error: ErrorObject, union: ErrorObject): boolean {
  return error.keyword === 'type' && error.instancePath === union.instancePath;
}
