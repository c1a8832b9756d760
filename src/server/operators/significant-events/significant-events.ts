/**
 * Significant events of a period: a view of what journal and ledger record, so that there is no second truth. Amounts
 * are minor units.
 */
import type { EventKind } from '#contract/operators/significant-events.ts';
import { type AmountsOfBrand, amountsInForce } from '#server/operators/significant-events/amounts.ts';
import {
	JOURNAL_KINDS,
	LOG_INS,
	ORDINARY,
	STEPS_OF_LOG_INS,
	TWICE,
} from '#server/operators/significant-events/journal-kinds.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import { inNumbers } from '#server/platform/postgres/numbered-ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { isDemoPool, POOLS } from '#values/pools.ts';
import { QUARTER_MS } from '#values/zoned-calendar.ts';

export const PAGE = 500;

interface AskedEvents {
	fromMs: number;
	toMs: number;
	/** Brands whose events are asked for. */
	hosts: readonly string[];
	/** Events that concern no single brand are asked for, too. */
	withHouse: boolean;
	/** Empty for all. */
	kind: EventKind | '';
	/** Null for all. */
	playerId: number | null;
	/** The last event of the page before; null for the newest. */
	before: { atMs: number; id: string } | null;
}

interface SignificantEvent {
	id: string;
	at: number;
	kind: EventKind;
	brand: string | null;
	playerId: number | null;
	actor: string;
	what: string;
	about: string;
	amount: AnyMinor | null;
	outcome: string;
	details: unknown;
	before: unknown;
	after: unknown;
}

/** Of demo players nothing is significant: their coins are no money. */
const NOT_DEMO = 'not is_demo';
/** What held on the brand when it happened. @param at the time; @param amount what has to be above */
const above = (at: string, amount: string): string =>
	`join amounts on host = brand and ${at} >= from_at and (until_at is null or ${at} < until_at) and ${amount}`;

/**
 * The tables that record events, each as the columns at, id, kind, brand, player, actor, what, about, amount, outcome,
 * details, before and after. $1 to before $2 is the period.
 */
const RECORDS: readonly string[] = [
	// Acts of members, players and the server; $10 to $15 are the kinds of acts.
	`select at, 'journal-' || seq, case when outcome = 'FORBIDDEN' then 'access' else coalesce(act_kind.kind, 'other') end,
		coalesce(player.brand, substring(subject from '^(?:domain|player .* of) (\\S+)$')), player.player_id, actor, act, subject,
		null::bigint, outcome, details, before, after
	 from journal left join act_kind using (act) left join player
		on player.player_id = coalesce(substring(subject from '^player (\\d+)$')::bigint, journal.player_id)
	 where at >= $1 and at < $2 and coalesce(player.pool not like 'DEMO%', true)
		and (outcome = 'FORBIDDEN' or not (act = any ($12) or act = any ($13) and outcome = any ($14)
			or act = any ($15) and outcome = 'done' and row_name is null))`,
	// Files of the program that differ from those of the comparison before, also by another process.
	`select at, 'release-' || seq, 'release', null, null, actor, 'release', subject, null, 'done', details - 'differing',
		jsonb_build_object('digest', earlier), jsonb_build_object('digest', digest)
	 from (select *, details ->> 'digest' as digest, lag(details ->> 'digest') over (order by seq) as earlier
		from journal where act = 'files-compared') as compared
	 where digest <> earlier and at >= $1 and at < $2`,
	// Large wins in markets.
	`select won.at, 'market-' || market_id || '-' || wallet_id, 'win', brand, wallet_id, user_name, 'MARKET_SETTLED',
		'market ' || market_id, won.profit, 'done', null, null, null
	 from player_settlement as won join player on player_id = wallet_id ${above('won.at', 'won.profit > win')}
	 where won.at >= $1 and won.at < $2 and ${NOT_DEMO}`,
	// Large wins in rounds, by the index workflow_win_of_quarter for the pools $16 and the quarters of an hour $17 to $18: a win is smaller
	// than what is paid.
	`select round.at, 'CASINO-' || id, 'win', brand, wallet_id, user_name, data ->> 'game', 'CASINO ' || id,
		(data ->> 'payout')::bigint - (data ->> 'stake')::bigint, 'done', null, null, null
	 from unnest($16::text[]) as pool cross join generate_series($17::bigint, $18::bigint) as quarter
		cross join lateral (
			select wallet_id, id, at, data from workflow
			where kind = 'CASINO' and state = 'SETTLED' and data -> 'payout' > data -> 'stake'
				and workflow.pool = pool.pool and at / ${QUARTER_MS} = quarter
				and data -> 'payout' > (select to_jsonb(min(win)) from amounts)
		) as round join player on player_id = wallet_id
		${above('round.at', "(data ->> 'payout')::bigint - (data ->> 'stake')::bigint > win")}
	 where round.at >= $1 and round.at < $2 and ${NOT_DEMO}`,
	// Money from outside as it is credited and to outside as its payout begins; disputes; and each adjustment.
	`select posting.at, 'posting-' || batch || '-' || line,
		case kind when 'ADJUSTMENT' then 'adjustment' else 'transfer' end, brand, wallet_id, user_name, kind,
		kind || ' ' || ref, amount, 'done', jsonb_build_object('debit', debit, 'credit', credit), null, null
	 from posting join player on player_id = wallet_id
		${above('posting.at', "(kind = 'ADJUSTMENT' or amount > transfer)")}
	 where kind in ('PAYMENT', 'DEPOSIT', 'WITHDRAWAL', 'ADJUSTMENT', 'DISPUTE') and posting.at >= $1 and posting.at < $2
		and ${NOT_DEMO} and (kind in ('ADJUSTMENT', 'DISPUTE') or credit in ('gateway', 'bank', 'payout')
			or debit in ('gateway', 'bank', 'unmatched') and credit = 'cash')`,
	// What left a balance below zero.
	`select at, 'below-zero-' || batch || '-' || line, 'overdraft', brand, wallet_id, user_name, kind, kind || ' ' || ref,
		cash_after, 'done', jsonb_build_object('debit', debit, 'credit', credit, 'moved', amount), null, null
	 from posting join player on player_id = wallet_id
	 where cash_after < 0 and at >= $1 and at < $2 and debit = 'cash' and ${NOT_DEMO}`,
	// Failed log-ins of players; those of staff are acts.
	`select at, 'log-in-' || attempt_id, 'log-in', coalesce(player.brand, login_attempt.brand), login_attempt.player_id,
		coalesce(user_name, 'unknown'), 'log-in', coalesce('player ' || login_attempt.player_id, ''), null,
		'WRONG_CREDENTIALS', jsonb_build_object('address', address), null, null
	 from login_attempt left join player using (player_id)
	 where not succeeded and at >= $1 and at < $2`,
	// Accounts to which players want their withdrawals.
	`select at, 'payout-details-' || details_id, 'person', brand, player_id, user_name, 'payout details',
		'player ' || player_id, null, 'done', null, null, jsonb_build_object('method', method, 'masked', masked)
	 from payout_details join player using (player_id)
	 where at >= $1 and at < $2 and ${NOT_DEMO}`,
	// Chains of shared rounds.
	`select begun_at, 'chain-' || game || '-' || number, 'random', null, null, 'server', 'chain', game || ' ' || number, null,
		'done', jsonb_build_object('commitment', commitment, 'firstRound', first_round, 'replaced', replaced), null, null
	 from game_chain where begun_at >= $1 and begun_at < $2`,
];

/** $5 to $9 are the brands' amounts, $10 and $11 the kinds of acts; the rest are what is asked for. */
export const EVENTS = `
	with amounts as (
		select * from unnest($5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
			as held (host, from_at, until_at, win, transfer)
	), act_kind as (
		select * from unnest($10::text[], $11::text[]) as known (act, kind)
	), event (at, id, kind, brand, "playerId", actor, what, about, amount, outcome, details, before, after) as (
		${RECORDS.join('\n\t\tunion all\n\t\t')}
	)
	select * from event
	where (brand = any ($3) or brand is null and $4) and ($19 = '' or kind = $19)
		and ($20::bigint is null or "playerId" = $20) and ($21::bigint is null or (at, ${inNumbers('id')}) < ($21, ${inNumbers('$22::text')}))
	order by at desc, ${inNumbers('id', 'desc')} limit ${PAGE + 1}`;

const quarterOf = (atMs: number): number => Math.floor(atMs / QUARTER_MS);

/** The parameters of `EVENTS`. */
export const valuesOf = (
	{ fromMs, toMs, hosts, withHouse, kind, playerId, before }: AskedEvents,
	amounts: readonly AmountsOfBrand[],
): unknown[] => [
	fromMs,
	toMs,
	hosts,
	withHouse,
	amounts.map(({ host }) => host),
	amounts.map((held) => held.fromMs),
	amounts.map(({ untilMs }) => untilMs),
	amounts.map(({ win }) => win),
	amounts.map(({ transfer }) => transfer),
	[...JOURNAL_KINDS.keys()],
	[...JOURNAL_KINDS.values()],
	ORDINARY,
	LOG_INS,
	STEPS_OF_LOG_INS,
	TWICE,
	POOLS.filter((pool) => !isDemoPool(pool)),
	quarterOf(fromMs),
	quarterOf(toMs - 1),
	kind,
	playerId,
	before?.atMs ?? null,
	before?.id ?? null,
];

/** The newest first, one more than a page if there are more. */
export async function significantEvents(
	reads: Pick<HeavyReads, 'query'>,
	asked: AskedEvents,
): Promise<SignificantEvent[]> {
	const amounts = await amountsInForce(reads, asked);
	const { rows } = await reads.query<SignificantEvent>(EVENTS, valuesOf(asked, amounts));
	return rows;
}
