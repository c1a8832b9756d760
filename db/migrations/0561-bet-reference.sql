-- What a bot calls a bet: written with the bet, in the same batch.
create table bet_reference (
	bet_id bigint primary key,
	order_ref text,
	strategy_ref text
);

-- Answers to calls of bots in which something was refused. What was accepted is in request_key.
create table api_answer (
	player_id bigint not null,
	reference text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null,
	primary key (player_id, reference)
);
create index api_answer_at on api_answer (at);
