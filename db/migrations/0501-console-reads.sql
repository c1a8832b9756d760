-- What the console looks up. Results by time: the figures of a day.
create index player_settlement_by_time on player_settlement (at);
-- Players by the beginning of their names, and by mobile whatever the brand.
create index player_name_prefix on player (name_key text_pattern_ops);
create index player_mobile_of_any on player (mobile) where mobile is not null;
-- Acts on one subject, and of one member.
create index journal_by_subject on journal (subject, seq desc);
create index journal_by_actor on journal (actor, seq desc);

-- What members of staff note about a player; rows are only ever added.
create table player_note (
	note_id bigint generated always as identity primary key,
	player_id bigint not null,
	at bigint not null,
	author text not null,
	note text not null
);
create index player_note_of on player_note (player_id, note_id desc);
