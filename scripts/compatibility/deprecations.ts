import { deprecationNoticeDays } from '../../src/config/limits.js';
import { asObject, listOperations, resolve, type JsonObject } from '../generate/document.js';

const headers = ['Deprecation', 'Sunset'];
const millisecondsPerDay = 86_400_000;

/**
 * Returns a sentence for each thing that a deprecated operation lacks: its two dates, at least the
 * promised notice apart, and the required headers on its successful responses. The service sends
 * none of these headers yet: the first deprecation adds the hook that does (RFC 9745, RFC 8594).
 */
export function findDeprecationProblems(document: JsonObject): string[] {
  return listOperations(document)
    .filter(({ definition }) => definition['deprecated'] === true)
    .flatMap(({ method, path, definition }) => [
      ...dateProblems(definition, `${method} ${path}`),
      ...headerProblems(document, definition, `${method} ${path}`),
    ]);
}

function dateProblems(definition: JsonObject, where: string): string[] {
  const [since, sunset] = ['x-deprecated-since', 'x-sunset'].map((name) =>
    Date.parse(String(definition[name])),
  ) as [number, number];
  // A missing or malformed date is NaN, and the comparison fails.
  return (sunset - since) / millisecondsPerDay >= deprecationNoticeDays
    ? []
    : [
        `${where} is deprecated: it needs x-deprecated-since and x-sunset, dates at least ${deprecationNoticeDays} days apart`,
      ];
}

function headerProblems(document: JsonObject, definition: JsonObject, where: string): string[] {
  return Object.entries(asObject(definition['responses'], where))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) => {
      const place = `${where} ${status}`;
      const documented = asObject(resolve(document, response, place)['headers'] ?? {}, place);
      return headers
        .filter((name) => resolve(document, documented[name] ?? {}, place)['required'] !== true)
        .map((name) => `${place} is deprecated and does not require the header ${name}`);
    });
}
