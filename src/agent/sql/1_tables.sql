-- Schema 1: the tables. Nobody but their owner may change them; functions (2_functions.sql) do.
-- The checks are the form of each value. A reader checks all of it again: a row is a stranger's.
create schema vyre;
revoke all on schema vyre from public;

-- One row. `revision` counts changed decisions: a writer holds its lock until it commits, so that a
-- reader who has seen revision n has seen all revisions before it.
create table vyre.schema (
  is_only boolean primary key default true check (is_only),
  version integer not null,
  revision bigint not null default 0
);
insert into vyre.schema (version) values (0);

-- `entry` is a file of decisions (docs/cache_format.md) with this decision and its identity.
-- `evidence`, `superseded` and `hash` are the order of merging.
create table vyre.decision (
  adapter text not null check (adapter ~ '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$'),
  identity text not null check (identity ~ '^[0-9a-f]{16}$'),
  key text not null check (key ~ '^v2-[0-9a-f]{64}$'),
  evidence bigint not null check (evidence between 1 and 4294967295),
  superseded integer not null check (superseded between 0 and 16),
  hash bytea not null check (octet_length(hash) = 32),
  entry text not null check (octet_length(entry) between 1 and 65536),
  revision bigint not null unique,
  published_by text not null,
  published_at timestamptz not null,
  primary key (adapter, identity, key)
);

-- A key that nobody has tuned for a device. Never source.
create table vyre.wish (
  id bigint generated always as identity primary key,
  identity text not null check (identity ~ '^[0-9a-f]{16}$'),
  key text not null check (key ~ '^v2-[0-9a-f]{64}$'),
  program text not null check (octet_length(program) <= 1024),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  shape text not null check (shape ~ '^[0-9]{1,20}(x[0-9]{1,20}){0,255}$'),
  asked bigint not null default 1,
  posted_by text not null,
  posted_at timestamptz not null,
  unique (identity, key)
);

-- Who works on a wish. `token` grows with every claim: the answer of a holder that was taken over
-- has an old one, and is not taken. `expires` is of the server's clock.
create table vyre.claim (
  wish bigint primary key references vyre.wish on delete cascade,
  token bigint not null,
  holder text not null,
  expires timestamptz not null
);
