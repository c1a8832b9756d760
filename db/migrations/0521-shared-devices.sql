-- Accounts that were used in one browser, by the cookies of known devices that it showed when it logged in.
create table shared_device (
	player_id bigint not null references player (player_id),
	other_id bigint not null references player (player_id),
	primary key (player_id, other_id)
);
