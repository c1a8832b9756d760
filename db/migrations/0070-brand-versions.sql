-- Brands are changed while the server runs: each change raises the version, and a writer names the version it saw.
alter table brand add column version int not null default 1;
-- made by the demo seed and changed by nobody since: follows the seed
alter table brand add column from_seed boolean not null default false;

-- What default.json shows; no host has this name.
insert into brand (host, setting) values ('default', '{}') on conflict (host) do nothing;
