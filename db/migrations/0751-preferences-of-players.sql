-- What a player chose to see, the same on every device: pinned events, and whether balance and exposure are shown. No fact
-- about money or access, so the journal does not cover it.
alter table player_preference alter column language drop not null;
-- null until the player has chosen
alter table player_preference add column show_balance boolean;
alter table player_preference add column show_exposure boolean;
create table pinned_event (
	player_id bigint not null references player,
	event_id text not null,
	pinned_at_ms bigint not null,
	primary key (player_id, event_id)
);
