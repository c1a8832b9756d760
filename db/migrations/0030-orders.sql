-- More kinds of orders and markets: delays, fill-or-kill, removed runners, dead heats.

-- A removed runner can leave a player owing more than he has when the market settles; only then is cash below zero.
alter table wallet drop constraint wallet_cash_check;

alter table market_state
	-- limits, delay and reduction rules, as the engine was given them
	add column terms jsonb not null default '{}',
	-- [runner, reduction in basis points] of the runners taken out
	add column removed jsonb not null default '[]';

alter table bet
	add column fill_or_kill boolean not null default false,
	-- [{stake, price}] as reduced since, in markets whose runners can be taken out
	add column fills jsonb,
	-- {dueAtMs, version, minFill} while the bet waits out an in-play delay
	add column delay jsonb,
	-- profit_exact is hundredths of a paisa times this: the number of runners that tied
	add column parts int not null default 1;
