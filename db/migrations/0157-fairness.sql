-- What the fairness page shows: how often each bet was paid, and why a round was void.

create table round_tally (
	source text not null,
	after bigint not null,
	waiting jsonb not null,
	tallies jsonb not null,
	primary key (source)
);
comment on table round_tally is 'How often the bets of the pay tables were paid, counted from ended rounds a few seconds behind them. It decides nothing: rounds, workflows and the public log can be counted again. src/server/money/casino/round-tallies.ts writes it';
comment on column round_tally.source is 'Code of a game with shared rounds, or own for all rounds of one player';
comment on column round_tally.after is 'The last round that was looked at, or the last workflow of a player’s own rounds';
comment on column round_tally.waiting is 'Workflows up to there that were still open';
comment on column round_tally.tallies is 'By code of the game: src/games/bet-tally.ts';

alter table table_round add column void_reason text;
alter table table_round add column void_result jsonb;
comment on column table_round.void_reason is 'Why the round is void: RESTART. Null for others, and for rounds that were void before this column';
comment on column table_round.void_result is 'The result that a void round would have had';
