-- Bots whose unmatched bets are cancelled when they fall silent, on whichever process leads the exchange then.

create table bot_heartbeat (
	player_id bigint primary key,
	at bigint not null,
	due_at bigint,
	cancelling bigint,
	action text not null
);
comment on table bot_heartbeat is 'The latest heartbeat of a player’s bots';
comment on column bot_heartbeat.at is 'When it came, by the exchange’s clock: an older one, of a process that was deposed, changes nothing';
comment on column bot_heartbeat.due_at is 'When the player’s unmatched bets are cancelled unless another one comes; null: never';
comment on column bot_heartbeat.cancelling is 'The due time of a cancellation that is not finished; names the command, so that it is done once. Null without one';
comment on column bot_heartbeat.action is 'What was done since the heartbeat, as the next one is answered: Action (src/server/doors/bots-api/heartbeats.ts)';
create index bot_heartbeat_due on bot_heartbeat (due_at) where due_at is not null;
create index bot_heartbeat_cancelling on bot_heartbeat (player_id) where cancelling is not null;
