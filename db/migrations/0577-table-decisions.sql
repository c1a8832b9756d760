-- What players decided while a round was played, such as to cash out. It stands once it is here, and is paid afterwards.
-- The rows of a round are deleted when all of its bets are settled.
create table table_decision (
	game text not null,
	round bigint not null,
	-- from 1; each holds what was decided while the one before was written
	part int not null,
	-- [{bet, payout, outcome}], in the order in which they were decided; paise
	decisions jsonb not null,
	primary key (game, round, part)
);
