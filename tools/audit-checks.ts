/**
 * The checks of the ledger. Each reads only the tables and computes the expected state in a second way. It uses nothing
 * of the engine, the batches or the site's exposure maths, so that a fault there cannot hide itself. The seals are
 * checked by the code that makes them, in audit-seals. A check returns the first wrong row, or null.
 */
import type pg from 'pg';
import { TRANSFER_KINDS } from '../src/engine/effect.ts';
import { CURRENCY_TERMS } from '../src/values/currencies.ts';
import { CURRENCIES } from '../src/values/currency-codes.ts';
import type { Pool } from '../src/values/pools.ts';
import { casesHaveTheirFacts } from './audit-cases.ts';
import type { Check } from './audit-check.ts';
import { journalHolds, keptRowsAreWritten, playersAreWritten } from './audit-journal.ts';
import { LIABILITY_CHECKS } from './audit-liabilities.ts';
import { monthsAreDetachedWhole } from './audit-months.ts';
import { outcomesAreEntered } from './audit-outcomes.ts';
import { LOG_CHECKS } from './audit-public-log.ts';
import { marketsAreAtRisk, roundsAreAtRisk } from './audit-risk.ts';
import { chainHolds, rowsAreSealed, unkeyedChainHolds } from './audit-seals.ts';
import { type OpenBet, upToCoins, worstOutcome } from './audit-worst-outcome.ts';

/** A check that consists of a query for wrong rows and a query that counts the checked ones. */
function bySql(name: string, counted: string, wrong: string): Check {
	return {
		name,
		run: async (client) => {
			// In one message: an audit asks a hundred short questions, and each way there and back costs as much as its answer.
			const answers = await client.query(`select count(*)::int as rows from ${counted}; ${wrong} limit 1`);
			const [{ rows }, found] = answers as unknown as [pg.QueryResult<{ rows: number }>, pg.QueryResult];
			return { rows: rows[0]?.rows ?? 0, wrong: found.rows[0] ?? null };
		},
	};
}

/** All accounts as the tables hold them: a wallet has four, the house one of each kind. */
const ACCOUNTS = `
	(select pool, account, wallet_id as owner, balance from wallet
		cross join lateral (values ('cash', cash), ('exposure', exposure), ('hold', hold), ('bonus', bonus))
		as part (account, balance)
	union all
	select pool, kind, owner, balance from house_account)`;

const MOVES = `
	(select pool, debit as account, debit_owner as owner, -amount as amount from posting
	union all
	select pool, credit, credit_owner, amount from posting)`;

const poolsSumToZero = bySql(
	'every pool sums to zero',
	'wallet',
	`select pool, sum(balance)::text as sum from ${ACCOUNTS} as held group by pool having sum(balance) <> 0`,
);

const balancesFollowPostings = bySql(
	'every balance is the sum of its postings',
	'posting',
	`select coalesce(held.pool, moved.pool) as pool, coalesce(held.account, moved.account) as account,
		coalesce(held.owner, moved.owner) as owner, held.balance::text, moved.amount::text as posted
	from ${ACCOUNTS} as held
	full join (select pool, account, owner, sum(amount) as amount from ${MOVES} as move group by pool, account, owner) as moved
		using (pool, account, owner)
	where coalesce(held.balance, 0) <> coalesce(moved.amount, 0) order by 1, 2, 3`,
);

const statementsRun = bySql(
	'every posting says what it left of the free cash',
	'posting',
	`select batch, line, wallet_id, cash_after::text, running::text from (
		select batch, line, wallet_id, cash_after, sum(
			case when credit = 'cash' then amount when debit = 'cash' then -amount else 0 end
		) over (partition by wallet_id order by batch, line) as running
		from posting where wallet_id <> 0
	) as row where cash_after <> running order by batch, line`,
);

const betsFollowMatches = bySql(
	'every matched stake is the sum of its matches',
	'bet',
	`select bet_id, matched::text, matched_value::text, met.stake::text as met, met.value::text as met_value from bet
	left join (
		select bet_id, sum(stake) as stake, sum(stake * price) as value from (
			select taker_bet_id as bet_id, stake, price from bet_match
			union all select maker_bet_id, stake, price from bet_match
		) as part group by bet_id
	) as met using (bet_id)
	where matched + voided <> coalesce(met.stake, 0)
		-- a removed runner reduces prices; the bet then carries its fills as they are now
		or (voided = 0 and fills is null and ended_at is null and matched_value <> coalesce(met.value, 0))
		or (fills is not null and matched_value <>
			(select sum((fill ->> 'stake')::bigint * (fill ->> 'price')::bigint) from jsonb_array_elements(fills) as fill))
	order by bet_id`,
);

/** No runner of the market was ever removed; a runner that came back leaves less held than asked. */
const UNCUT = `removed = '[]' and not terms @> '{"reducible": true, "mayBeShort": true}'`;

/** Bets up to this one are in detached months. */
const LAST_DETACHED = '(select coalesce(max(last_bet_id), 0) from detached_month)';

const isBeyondLimit = (bet: string): string =>
	`case ${bet}.side when 0 then met.price < (${bet}.on_close ->> 'limit')::int else met.price > (${bet}.on_close ->> 'limit')::int end`;

const matchesAreFair = bySql(
	'every match joins two players’ bets on one runner at a price both asked for or better',
	'bet_match',
	`select met.batch, met.line, met.taker_bet_id, met.maker_bet_id, met.price from bet_match as met
	left join bet as taker on taker.bet_id = met.taker_bet_id
	left join bet as maker on maker.bet_id = met.maker_bet_id
	join market_state on market_state.market_id = met.market_id
	where (taker.bet_id is null and met.taker_bet_id > ${LAST_DETACHED})
		or (maker.bet_id is null and met.maker_bet_id > ${LAST_DETACHED})
		or taker.market_id <> maker.market_id or taker.runner <> maker.runner or taker.pool <> maker.pool
		or taker.side = maker.side or taker.wallet_id = maker.wallet_id
		-- a removal cuts what waiting lays ask, also of a runner that came back since
		-- the rest of a bet that took the starting price was asked at that
		or (maker.price <> met.price and maker.takes_start is null and ${UNCUT})
		-- fill-or-kill bounds the average
		or (not taker.fill_or_kill and taker.takes_start is null and taker.side = 0 and met.price < taker.price)
		or (not taker.fill_or_kill and taker.takes_start is null and taker.side = 1 and met.price > taker.price and ${UNCUT})
		-- nothing is matched at a starting price beyond a bet's limit, which a removal lowers for lays that wait
		or (taker.on_close is not null and ${isBeyondLimit('taker')})
		or (maker.on_close is not null and ${isBeyondLimit('maker')})
	order by met.batch, met.line`,
);

const marketsArePaidOut = bySql(
	'no settled market keeps money, and no bet of it is open',
	'market_state',
	`select market_id, status, balance::text as pot, open from market_state
	left join (select owner, sum(balance) as balance from house_account where kind = 'pot' group by owner) as pot
		on pot.owner = market_id
	left join (select market_id, count(*)::int as open from bet where ended_at is null group by market_id) as bets
		using (market_id)
	where (status in ('SETTLED', 'VOIDED') and coalesce(open, 0) <> 0)
		or (status <> 'SETTLING' and coalesce(balance, 0) <> 0)
	order by market_id`,
);

/** A walk pays losers in before it pays winners out; what the rounding account lends is a posting of its own. */
const walksAreEven = bySql(
	'a market that is being settled holds what its losers paid and its winners have not got yet',
	'market_state',
	`select walked.market_id, walked.pool, pot::text, paid::text, lent::text
	from (select market_id, unnest(pools) as pool from market_state where status = 'SETTLING') as walked
	cross join lateral (select coalesce(sum(balance), 0) as pot from house_account
		where kind = 'pot' and owner = walked.market_id and pool = walked.pool) as pots
	cross join lateral (select coalesce(sum(net), 0) as paid from player_settlement join wallet using (wallet_id)
		where market_id = walked.market_id and pool = walked.pool) as payments
	cross join lateral (select coalesce(sum(case when debit = 'rounding' then amount else -amount end), 0) as lent
		from posting where market_id = walked.market_id and pool = walked.pool and 'rounding' in (debit, credit)) as loans
	where pot < 0 or pot <> lent - paid order by 1, 2`,
);

/** The house's wallets may have most of a market's bets, and are settled in parts. */
const playersAreSettledWhole = bySql(
	'no player is settled in part',
	'bet',
	`select market_id, wallet_id, count(*) filter (where ended_at is null)::int as open
	from bet join market_state using (market_id)
	where status = 'SETTLING' and wallet_id >= 1000 group by market_id, wallet_id
	having bool_or(ended_at is null) and bool_or(result in ('WON', 'LOST')) order by 1, 2`,
);

/** A row whose bets were reopened, or are detached, names none. */
const endsAreFound = bySql(
	'every ended bet of a player is found by its end',
	'bet_end',
	`select bet_id, wallet_id, ended_at from bet where ended_at is not null and wallet_id >= 1000
		and not exists (select 1 from bet_end where bet_end.wallet_id = bet.wallet_id
			and bet_end.ended_at = bet.ended_at and bet_end.market_id = bet.market_id)
	order by bet_id`,
);

/** Minor units of the smallest coin of a wallet's pool. */
const COIN = `case ${CURRENCIES.map((currency) => `when pool like '%-${currency}' then ${CURRENCY_TERMS[currency].step}`).join(' ')} else 1 end`;

const playersArePaidRight = bySql(
	'every player’s net in a settled market is the sum of his bets, rounded once',
	'player_settlement',
	// Where the house is settled, or comes back, in parts, its money moves with the last of them.
	`select paid.market_id, paid.wallet_id, paid.net::text, exact.profit::text as exact, paid.commission::text
	from player_settlement as paid
	left join (
		select market_id, wallet_id, sum(profit) as profit from (
			select market_id, wallet_id, profit_exact::numeric / parts as profit from bet where result in ('WON', 'LOST')
			union all select market_id, wallet_id, profit from detached_bets
		) as part group by market_id, wallet_id
	) as exact using (market_id, wallet_id) left join market_state using (market_id) left join wallet using (wallet_id)
	cross join lateral (select ${COIN} as coin) as of_currency
	where not coalesce(status = 'SETTLING' and paid.wallet_id < 1000, false) and (
		paid.net <> ceil(round(coalesce(exact.profit, 0) / (100.0 * coin), 12) - 0.5) * coin
		or paid.profit <> paid.net - paid.commission or paid.commission < 0 or (paid.net <= 0 and paid.commission <> 0)
	)
	order by 1, 2`,
);

/**
 * Wallets of the house in a market that is being settled: they hold until the end for what is decided, too. And wallets that
 * a removal has not reached yet: they hold for their bets as they were.
 */
const IN_PARTS = `(status = 'SETTLING' and wallet_id < 1000
	or terms #>> '{changing,change,kind}' = 'RUNNER' and wallet_id > (terms #>> '{changing,doneWallet}')::bigint)`;

/** What they hold by their postings; that it covers the loss shows when the loss is taken. */
async function heldForParts(client: pg.PoolClient): Promise<{ wallet_id: number; amount: string }[]> {
	const { rows } = await client.query<{ wallet_id: number; amount: string }>(
		`select wallet_id, sum(case when credit = 'exposure' then amount else -amount end)::text as amount
		from posting join market_state using (market_id) where 'exposure' in (debit, credit) and ${IN_PARTS}
		group by wallet_id`,
	);
	return rows;
}

const exposureIsHeld: Check = {
	name: 'every wallet holds exactly what its open bets and triggers can lose',
	run: async (client) => {
		const { rows: bets } = await client.query<OpenBet>(
			`select wallet_id, market_id, market_state.runners, number_of_winners as winners, coalesce((terms ->> 'eachWayDivisor')::int, 0) as divisor, case when jsonb_typeof(terms -> 'ladder') = 'object' then terms -> 'ladder' end as lines, fills, removed, coalesce(terms ->> 'mayBeShort' = 'true', false) as voids, runner, side, price, matched, matched_value, remaining
			from bet join market_state using (market_id) where ended_at is null and (${IN_PARTS}) is not true
			union all
			select wallet_id, market_id, market_state.runners, number_of_winners, coalesce((terms ->> 'eachWayDivisor')::int, 0), case when jsonb_typeof(terms -> 'ladder') = 'object' then terms -> 'ladder' end, null, removed, coalesce(terms ->> 'mayBeShort' = 'true', false), runner, case when closes then 1 - side else side end, case when closes then at_price else price end, 0, 0, stake
			from (select *, plan ->> 'kind' = 'BRACKET' and bet_id is not null as closes from bet_trigger) as bet_trigger join market_state using (market_id) where bet_trigger.status in ('WAITING', 'DUE')
			union all
			select bet.wallet_id, bet.market_id, market_state.runners, number_of_winners, coalesce((terms ->> 'eachWayDivisor')::int, 0), case when jsonb_typeof(terms -> 'ladder') = 'object' then terms -> 'ladder' end, null, removed, coalesce(terms ->> 'mayBeShort' = 'true', false), bet.runner, case when plan ->> 'kind' = 'BRACKET' then 1 - bet_trigger.side else bet_trigger.side end, bet.price, 0, 0, -remaining
			from bet_trigger join bet on bet.bet_id in (bet_trigger.bet_id, exit_id) join market_state on market_state.market_id = bet.market_id
			where bet_trigger.status in ('WAITING', 'DUE') and plan ->> 'kind' in ('PEG', 'BRACKET')
			order by wallet_id, market_id`,
		);
		const { rows: wallets } = await client.query<{ wallet_id: number; pool: Pool; exposure: number }>(
			'select wallet_id, pool, exposure from wallet order by wallet_id',
		);
		const pools = new Map(wallets.map(({ wallet_id, pool }) => [wallet_id, pool]));
		const byMarket = Map.groupBy(bets, ({ wallet_id, market_id }) => `${wallet_id}.${market_id}`);
		const held = new Map<number, bigint>();
		const mayBeShort = new Set<number>();
		for (const ofMarket of byMarket.values()) {
			const [first] = ofMarket;
			if (!first) continue;
			const exposure = upToCoins(worstOutcome(ofMarket, first), pools.get(first.wallet_id) ?? 'PLAY');
			// A removal can ask for more than a player has; the shortfall is not held.
			if (first.removed.length > 0 || first.voids) mayBeShort.add(first.wallet_id);
			held.set(first.wallet_id, (held.get(first.wallet_id) ?? 0n) + exposure);
		}
		for (const { wallet_id, amount } of await heldForParts(client))
			held.set(wallet_id, (held.get(wallet_id) ?? 0n) + BigInt(amount));
		const wrong = wallets.find(({ wallet_id, exposure }) => {
			const asked = held.get(wallet_id) ?? 0n;
			return BigInt(exposure) > asked || (BigInt(exposure) < asked && !mayBeShort.has(wallet_id));
		});
		if (!wrong) return { rows: bets.length, wrong: null };
		return { rows: bets.length, wrong: { ...wrong, recomputed: String(held.get(wrong.wallet_id) ?? 0n) } };
	},
};

/** In addition to the check of holds, this one checks that a market maker's wallet holds only for its matched bets. */
const quotesAreMatched = bySql(
	'no quote is in the tables with more than what was matched of it',
	'bet',
	`select bet_id, wallet_id, remaining::text from bet join wallet using (wallet_id)
	where quotes and (remaining > 0 or delay is not null) order by bet_id`,
);

const triggersPlaceTheirBets = bySql(
	'every bet of a trigger is the one that the trigger says',
	'bet_trigger',
	`select trigger_id, bet_trigger.bet_id
	from bet_trigger join bet using (bet_id)
	where (bet.wallet_id, bet.market_id, bet.runner, bet.side) is distinct from (bet_trigger.wallet_id, bet_trigger.market_id, bet_trigger.runner, bet_trigger.side)
		or (plan is null and (bet.stake <> bet_trigger.stake or bet_trigger.status <> 'PLACED'))
		or (plan is not null and bet.stake > whole)
	order by trigger_id`,
);

const workflowsFollowTheirSteps = bySql(
	'every workflow is where its steps lead',
	'workflow',
	`select coalesce(workflow.kind, steps.kind) as kind, coalesce(workflow.id, steps.id) as id, state, reached,
		workflow.step, steps.count::int as steps, steps.gap
	from workflow full join (
		select kind, id, count(*) as count, (array_agg(to_state order by step desc))[1] as reached, max(at) as at,
			bool_or(from_state is distinct from before or step <> place) as gap
		from (
			select *, lag(to_state) over walk as before, row_number() over walk as place
			from workflow_step window walk as (partition by kind, id order by step)
		) as walked group by kind, id
	) as steps using (kind, id)
	where workflow.step is distinct from steps.count or state is distinct from reached or gap
		or workflow.at is distinct from steps.at
	order by 1, 2`,
);

const WORKFLOW_KINDS = TRANSFER_KINDS.map((kind) => `'${kind}'`).join(', ');

const workflowsMakeTheirPostings = bySql(
	'every posting that is not about bets belongs to a workflow, and none of them is missing',
	'posting',
	`select coalesce(workflow.kind, made.kind) as kind, coalesce(workflow.id, made.ref) as id, workflow.postings,
		made.count::int as made
	from workflow full join (
		select kind, ref, count(*) as count, min(step) as first, max(step) as last,
			min(nullif(wallet_id, 0)) as wallet, max(nullif(wallet_id, 0)) as other_wallet
		from posting where kind in (${WORKFLOW_KINDS}) group by kind, ref
	) as made on made.kind = workflow.kind and made.ref = workflow.id
	where coalesce(workflow.postings, -1) <> coalesce(made.count, 0)
		or first <> 0 or last <> made.count - 1 or wallet <> workflow.wallet_id or other_wallet <> workflow.wallet_id
	order by 1, 2`,
);

const decisionsArePaid = bySql(
	'every cash-out that was written down is paid as it says, or is still to be paid',
	'table_decision',
	`select decision.game, round, (made->>'bet')::bigint as bet, made->>'payout' as decided, workflow.state,
		data->>'payout' as paid
	from table_decision as decision cross join jsonb_array_elements(decisions) as made
	left join workflow on kind = 'CASINO' and id = (made->>'bet')::bigint
	where workflow.state is null or workflow.state = 'VOID'
		or workflow.state = 'SETTLED' and data->'payout' is distinct from made->'payout'
	order by 1, 2, 3`,
);

const endedRoundsAreSettled = bySql(
	'no bet is open on a round of everybody’s that has ended',
	'table_round',
	`select id as bet, game, round, phase from workflow join table_round
		on game = data->>'game' and round = (data->>'round')::bigint
	where kind = 'CASINO' and is_open and phase in ('ENDED', 'VOID') order by id`,
);

const nothingAfterTheLease = bySql(
	'no posting and no match is newer than the last batch',
	'lease',
	`select batch from (select batch from posting union all select batch from bet_match) as row
	where batch > (select batch from lease)`,
);

export const CHECKS: readonly Check[] = [
	poolsSumToZero,
	balancesFollowPostings,
	statementsRun,
	exposureIsHeld,
	triggersPlaceTheirBets,
	quotesAreMatched,
	betsFollowMatches,
	matchesAreFair,
	marketsArePaidOut,
	walksAreEven,
	playersAreSettledWhole,
	endsAreFound,
	playersArePaidRight,
	workflowsFollowTheirSteps,
	workflowsMakeTheirPostings,
	decisionsArePaid,
	endedRoundsAreSettled,
	nothingAfterTheLease,
	rowsAreSealed,
	chainHolds,
	unkeyedChainHolds,
	monthsAreDetachedWhole,
	journalHolds,
	playersAreWritten,
	keptRowsAreWritten,
	casesHaveTheirFacts,
	marketsAreAtRisk,
	roundsAreAtRisk,
	outcomesAreEntered,
	...LIABILITY_CHECKS,
	...LOG_CHECKS,
];
