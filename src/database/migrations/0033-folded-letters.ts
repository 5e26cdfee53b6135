import { sql, type Kysely } from 'kysely';

/**
 * Searching names without their accents: `fold_letters` of `Nguyễn`, `Müller` and `O’Brien` is `nguyen`,
 * `muller` and `obrien`; Arabic loses its vowels and hamzas. The extension `unaccent` is not on every
 * server.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create function fold_letters(words text) returns text
      language sql immutable strict parallel safe
      as $$ select replace(replace(replace(replace(
        translate(
          lower(regexp_replace(
            normalize(translate(words, '''’‘ʼʻʹ\`´', ''), nfkd),
            '[\\u0300-\\u036f\\u0640\\u064b-\\u065f\\u0670]', '', 'g')),
          'đðħıłøŧς', 'ddhilotσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') $$`.execute(database);
}
