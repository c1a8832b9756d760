-- What each player had at risk in each market and each round of the casino that is decided, written with the decision.
create table money_at_risk (
	wallet_id bigint not null,
	-- 'market', or the code of a game
	what text not null,
	-- the market; the number of a round that everybody plays; or else the workflow of the player's own round
	ref bigint not null,
	-- when it was decided, and when the first of its bets was placed
	at bigint not null,
	since bigint not null,
	-- the largest possible loss, and that of the bets at 1.50 or longer alone; paise
	amount bigint not null check (amount >= 0),
	long_amount bigint not null check (long_amount between 0 and amount),
	-- what each runner's win comes to, in hundredths of a paisa; null where other than one runner wins
	worths bigint[],
	primary key (wallet_id, what, ref)
);
