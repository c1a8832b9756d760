-- Where a log-in began, and what the staff note about players in words that can be searched.

alter table login add column opened_at bigint;
alter table login add column address text;
comment on column login.opened_at is 'Null for a login from before the time was written down';
comment on column login.address is 'Where the password was shown; null for a login from before, and for a back end’s';

create table player_tag (
	player_id bigint not null references player (player_id),
	tag text not null,
	at bigint not null,
	author text not null,
	primary key (player_id, tag)
);
comment on table player_tag is 'Words by which the staff find players, in lower case. The journal has each that was added or removed';
create index player_tag_players on player_tag (tag, player_id);
-- The console finds players by the words of notes.
create index player_note_words on player_note using gin (to_tsvector('simple', note));
