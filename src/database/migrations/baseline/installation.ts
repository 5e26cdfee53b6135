import { sql } from 'kysely';

/**
 * Facts about the installation, such as the id of its secret key, and the lowest version that may take
 * slots: none until `raise_minimum_version` sets it.
 */
export const installation = sql`
  create table installation (
    name text primary key,
    value text not null
  );

  -- Compares as numbers, and a pre-release like its release.
  create function version_core(version text) returns integer[]
    language sql immutable strict parallel safe
    as $$ select string_to_array(substring(version from '^[0-9]+[.][0-9]+[.][0-9]+'), '.')::integer[] $$;

  create function require_version(version text) returns void language plpgsql as $$
      declare
        minimum text := (select value from installation where name = 'minimum_version');
      begin
        if version_core(version) < version_core(minimum) then
          raise exception 'version % may not take slots: the minimum is %', version, minimum
            using errcode = 'BV001', detail = minimum;
        end if;
      end $$;

  -- Each statement has a snapshot of its own: the comparison sees a minimum that was raised while it
  -- waited for the lock.
  create function lock_slots(version text) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1752132708);
        perform require_version(version);
        perform set_config('booking.version', version, true);
      end $$;

  -- Under the lock, so that no transaction that was let in by the former minimum is left.
  create function raise_minimum_version(version text) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1752132708);
        insert into installation (name, value) values ('minimum_version', version)
        on conflict (name) do update set value = excluded.value
          where version_core(installation.value) < version_core(excluded.value);
      end $$;
`;
