-- Schema 2: the functions, which run with the rights of the tables' owner, and the roles that may
-- call them. Every name is written with its schema, and the search path is fixed, so that no table
-- or operator of a caller can take the place of one that is meant here.

-- Keeps the greater of this decision and the one that is there. No role may call it; the functions
-- below do. The number of rows that changed.
create function vyre.put(adapter text, identity text, key text, evidence bigint,
                         superseded integer, hash bytea, entry text) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  next_revision bigint;
  changed integer;
begin
  select revision + 1 from vyre.schema for update into next_revision;
  insert into vyre.decision as d
    values ($1, $2, $3, $4, $5, $6, $7, next_revision, session_user, clock_timestamp())
  on conflict (adapter, identity, key) do update
    set evidence = excluded.evidence, superseded = excluded.superseded, hash = excluded.hash,
        entry = excluded.entry, revision = excluded.revision,
        published_by = excluded.published_by, published_at = excluded.published_at
    where (excluded.evidence, excluded.superseded, excluded.hash)
        > (d.evidence, d.superseded, d.hash);
  get diagnostics changed = row_count;
  if changed > 0 then
    update vyre.schema set revision = next_revision;
    perform pg_notify('vyre_decision', '');
  end if;
  return changed;
end $$;

-- The number of rows that changed: 0 if the decision that is there is as good or better.
create function vyre.publish(adapter text, identity text, key text, evidence bigint,
                             superseded integer, hash bytea, entry text) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select vyre.put($1, $2, $3, $4, $5, $6, $7)
$$;

-- True: it is new. A wish that is there already is counted once more.
create function vyre.post(identity text, key text, program text, fingerprint text, shape text)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  is_new boolean;
begin
  update vyre.wish set asked = asked + 1 where identity = $1 and key = $2;
  if found then
    return false;
  end if;
  if (select count(*) from (select from vyre.wish limit 65536) as all_wishes) = 65536 then
    raise exception 'there are 65536 wishes already; fulfil or delete some';
  end if;
  insert into vyre.wish (identity, key, program, fingerprint, shape, posted_by, posted_at)
    values ($1, $2, $3, $4, $5, session_user, clock_timestamp())
    on conflict (identity, key) do nothing;
  is_new := found;
  if is_new then
    perform pg_notify('vyre_wish', '');
  end if;
  return is_new;
end $$;

-- A token, or null if the wish is held by another or is no more. A claimer that comes while another
-- one is claiming does not wait for it.
create function vyre.take(wish bigint, holder text, lease interval) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  fresh bigint;
begin
  if not $3 between interval '0' and interval '1 day' then
    raise exception 'a lease is at most a day';
  end if;
  perform from vyre.wish where id = $1 for update skip locked;
  if not found then
    return null;
  end if;
  insert into vyre.claim as c values ($1, 1, left($2, 200), clock_timestamp() + $3)
  on conflict (wish) do update
    set token = c.token + 1, holder = excluded.holder, expires = excluded.expires
    where c.expires <= clock_timestamp()
  returning token into fresh;
  return fresh;
end $$;

-- Whether the token is the latest; then the claim lasts for another lease from now.
create function vyre.renew(wish bigint, token bigint, lease interval) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  if not $3 between interval '0' and interval '1 day' then
    raise exception 'a lease is at most a day';
  end if;
  update vyre.claim set expires = clock_timestamp() + $3 where wish = $1 and token = $2;
  return found;
end $$;

-- Answers a wish: publishes the decision and removes the wish. The number of wishes that were
-- answered: 0 if the token is not the latest, and then nothing is published. The decision must be
-- for the wish's key and identity.
create function vyre.fulfil(wish bigint, token bigint, adapter text, identity text, key text,
                            evidence bigint, superseded integer, hash bytea, entry text)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform from vyre.wish as w join vyre.claim as c on c.wish = w.id
    where w.id = $1 and c.token = $2 and w.identity = $4 and w.key = $5 for update;
  if not found then
    return 0;
  end if;
  perform vyre.put($3, $4, $5, $6, $7, $8, $9);
  delete from vyre.wish where id = $1;
  return 1;
end $$;

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'vyre_reader') then
    create role vyre_reader nologin;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'vyre_wisher') then
    create role vyre_wisher nologin;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'vyre_tuner') then
    create role vyre_tuner nologin;
  end if;
end $$;

revoke all on all tables in schema vyre from public;
revoke all on all sequences in schema vyre from public;
revoke all on all functions in schema vyre from public;
grant usage on schema vyre to vyre_reader, vyre_wisher, vyre_tuner;
grant select on all tables in schema vyre to vyre_reader, vyre_wisher, vyre_tuner;
grant execute on function vyre.post to vyre_wisher, vyre_tuner;
grant execute on function vyre.publish, vyre.take, vyre.renew, vyre.fulfil to vyre_tuner;
