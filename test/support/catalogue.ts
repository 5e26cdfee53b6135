import { query } from './embedded.js';

/** What a schema has, each as lines of text in the order of their names; columns in their own order. */
const parts = [
  `select format('table %s (%s)', relname, array_to_string(reloptions, ', ')) as line
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  `select format('column %s.%s %s%s%s%s', attrelid::regclass, attname, format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then ' collate ' || attcollation::regcollation end,
      case when attidentity <> '' then ' identity ' || attidentity::text end,
      ' default ' || pg_get_expr(adbin, adrelid)) as line
  from pg_attribute join pg_class on pg_class.oid = attrelid and relkind = 'r'
    join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
  order by attrelid::regclass::text, attnum`,
  `select format('constraint %s.%s %s', coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text),
      conname, pg_get_constraintdef(oid)) as line
  from pg_constraint where connamespace = 'public'::regnamespace order by 1`,
  `select format('index %s', indexdef) as line
  from pg_indexes where schemaname = 'public' order by 1`,
  `select format('trigger %s (%s)', pg_get_triggerdef(oid), tgenabled) as line
  from pg_trigger
  where not tgisinternal and tgrelid in (
    select oid from pg_class where relnamespace = 'public'::regnamespace)
  order by 1`,
  `select 'function ' || pg_get_functiondef(oid) as line
  from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  `select format('domain %s of %s', typname, format_type(typbasetype, typtypmod)) as line
  from pg_type where typtype = 'd' and typnamespace = 'public'::regnamespace order by 1`,
  `select format('grants of %s: %s', relname, relacl) as line
  from pg_class where relacl is not null and relnamespace = 'public'::regnamespace
  union all select format('grants of %s: %s', proname, proacl)
  from pg_proc where proacl is not null and pronamespace = 'public'::regnamespace order by 1`,
  `select format('comment on %s: %s', pg_describe_object(classoid, objoid, objsubid), description) as line
  from pg_description where objoid in (
    select oid from pg_class where relnamespace = 'public'::regnamespace
    union select oid from pg_proc where pronamespace = 'public'::regnamespace
    union select oid from pg_constraint where connamespace = 'public'::regnamespace
    union select oid from pg_type where typnamespace = 'public'::regnamespace)
  order by 1`,
];

/**
 * The schema of a database as text, as `pg_dump -s` shows it, which the embedded server lacks: tables,
 * columns, constraints, indexes, triggers, functions, domains, grants and comments.
 */
export async function readCatalogue(connectionString: string): Promise<string[]> {
  const lines: string[] = [];
  for (const part of parts) {
    const rows = await query<{ line: string }>(connectionString, part);
    lines.push(...rows.map(({ line }) => line));
  }
  return lines;
}
