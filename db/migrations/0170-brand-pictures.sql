-- Pictures that operators upload for a brand, and the settings that a brand had before.

create table brand_picture (
	host text not null references brand,
	name text not null,
	bytes bytea not null check (octet_length(bytes) <= 524288),
	at bigint not null,
	primary key (host, name)
);
alter table brand_picture alter column bytes set storage external;
comment on table brand_picture is 'Pictures of a brand’s site, served by name: src/contract/brand-picture.ts';
comment on column brand_picture.name is 'Digest of the picture and its size in pixels, so a name never serves another picture';
comment on column brand_picture.bytes is 'WebP, as the media process encodes it. Stored without compression, because it does not shrink';
comment on column brand_picture.at is 'When it was last uploaded, in milliseconds';

create table brand_version (
	host text not null references brand,
	version int not null,
	setting jsonb not null,
	replaced_at bigint not null,
	primary key (host, version)
);
comment on table brand_version is 'Settings that a brand had: each is written by the change that replaces it, and stays. The journal has the actors';
comment on column brand_version.setting is 'As brand.setting was';
comment on column brand_version.replaced_at is 'When the next version took its place, in milliseconds';
create index brand_version_replaced on brand_version (host, replaced_at);
