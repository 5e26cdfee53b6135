import { sql, type Kysely } from 'kysely';

/**
 * The version that a process must at least have to take slots, so that a later migration may change
 * what holds for them while older processes run. There is none until `raise_minimum_version` sets it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  // Compares as numbers, and a pre-release like its release.
  await sql`
    create function version_core(version text) returns integer[]
      language sql immutable strict parallel safe
      as $$ select string_to_array(substring(version from '^[0-9]+[.][0-9]+[.][0-9]+'), '.')::integer[] $$`.execute(
    database,
  );
  await sql`
    create function require_version(version text) returns void language plpgsql as $$
      declare
        minimum text := (select value from installation where name = 'minimum_version');
      begin
        if version_core(version) < version_core(minimum) then
          raise exception 'version % may not take slots: the minimum is %', version, minimum
            using errcode = 'BV001', detail = minimum;
        end if;
      end $$`.execute(database);
  // Each statement of the function has a snapshot of its own: the comparison sees a minimum that was
  // raised while it waited for the lock.
  await sql`
    create function lock_slots(version text) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1752132708);
        perform require_version(version);
      end $$`.execute(database);
  // Under the lock, so that no transaction that was let in by the former minimum is left.
  await sql`
    create function raise_minimum_version(version text) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1752132708);
        insert into installation (name, value) values ('minimum_version', version)
        on conflict (name) do update set value = excluded.value
          where version_core(installation.value) < version_core(excluded.value);
      end $$`.execute(database);
}
