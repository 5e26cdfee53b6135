import { deprecationNoticeDays } from '../../src/platform/fixed-limits.js';
import { asObject, listOperations, resolve, type JsonObject } from '../generate/document.js';

const headers = ['Deprecation', 'Sunset'];
const millisecondsPerDay = 86_400_000;

/**
 * What is missing, in sentences, where an operation is deprecated: the dates that the service makes
 * its headers of, with the promised time between them, and the headers on its successes, so that a
 * consumer reads of them.
 */
export function findUnannouncedEnds(document: JsonObject): string[] {
  return listOperations(document)
    .filter(({ definition }) => definition['deprecated'] === true)
    .flatMap(({ method, path, definition }) => [
      ...problemsOfDates(definition, `${method} ${path}`),
      ...undocumentedHeaders(document, definition, `${method} ${path}`),
    ]);
}

function problemsOfDates(definition: JsonObject, where: string): string[] {
  const [since, sunset] = ['x-deprecated-since', 'x-sunset'].map((name) =>
    Date.parse(String(definition[name])),
  ) as [number, number];
  // NaN, where a date is missing or wrong, is not at least anything.
  return (sunset - since) / millisecondsPerDay >= deprecationNoticeDays
    ? []
    : [
        `${where} is deprecated: it needs x-deprecated-since and x-sunset, dates at least ${deprecationNoticeDays} days apart`,
      ];
}

function undocumentedHeaders(
  document: JsonObject,
  definition: JsonObject,
  where: string,
): string[] {
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
