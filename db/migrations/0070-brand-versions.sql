-- Brands are changed while the server runs: each change raises the version, and a writer names the version it saw.
alter table brand add column version int not null default 1;
-- null until an operator changed it; demo brands follow their seed until then
alter table brand add column changed_at bigint;

-- What default.json shows; no host has this name.
insert into brand (host, setting) values ('default', '{}') on conflict (host) do nothing;
