/** Rules over a player's deposits and withdrawals: many a little below a threshold, and money that only passes through. */
import {
	type Candidate,
	comeTo,
	type Fact,
	inMinor,
	partOf,
	type Reads,
	sumOf,
} from '#server/operators/cases/candidate.ts';
import { CASE_RULES } from '#values/cases.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, type Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

interface Move {
	playerId: PlayerId;
	kind: 'PAYMENT' | 'DEPOSIT' | 'WITHDRAWAL';
	id: number;
	atMs: number;
	amount: AnyMinor;
	pool: Pool;
}

/**
 * SQL: since `$2`, what the players `$1` deposited, and what they asked to have paid out. What was taken back later is
 * left out.
 */
const MOVES = `
	select workflow.wallet_id as "playerId", workflow.kind, workflow.id, posting.at as "atMs", posting.amount, posting.pool
	from workflow join posting on posting.kind = workflow.kind and posting.ref = workflow.id
	where workflow.wallet_id = any ($1) and workflow.at >= $2 and posting.at >= $2 and (
	  workflow.kind in ('PAYMENT', 'DEPOSIT') and posting.credit = 'cash'
	    and workflow.state not in ('REFUNDED', 'REVERSED', 'DUPLICATE')
	  or workflow.kind = 'WITHDRAWAL' and posting.debit = 'cash' and posting.credit = 'hold'
	    and workflow.state not in ('REJECTED', 'CANCELLED', 'FAILED', 'RETURNED'))
	order by posting.at, workflow.id`;

const isDeposit = ({ kind }: Pick<Fact, 'kind'>): boolean => kind !== 'withdrawal';

const factOf = ({ playerId, kind, id, atMs, amount, pool }: Move): Fact => ({
	name: `${kind} ${id}`,
	kind: kind === 'WITHDRAWAL' ? 'withdrawal' : kind === 'PAYMENT' ? 'payment' : 'deposit',
	ref: id,
	playerId,
	atMs,
	amount,
	currency: currencyOf(pool),
	words: kind === 'WITHDRAWAL' ? 'Asked to have it paid out.' : 'Deposited.',
});

const aboutPlayer = (playerId: PlayerId) => ({
	subject: `player ${playerId}`,
	isCircle: false,
	players: [playerId],
});

/** Whether enough deposits fall within the days of the rule. */
function isStructuring(facts: readonly Fact[]): boolean {
	const { leastDeposits, withinDays } = CASE_RULES.STRUCTURING;
	const times = facts.map(({ atMs }) => atMs).sort((one, other) => one - other);
	return times.some((atMs, at) => {
		const last = times[at + leastDeposits - 1];
		return last !== undefined && last - atMs <= withinDays * DAY_MS;
	});
}

function structuring(playerId: PlayerId, facts: readonly Fact[]): Candidate {
	const { threshold, closePercent } = CASE_RULES.STRUCTURING;
	const isClose = ({ amount, currency }: Fact) => {
		const most = inMinor(currency, threshold);
		return amount !== null && amount < most && amount >= partOf(most, closePercent);
	};
	return {
		...aboutPlayer(playerId),
		rule: 'STRUCTURING',
		facts: facts.filter((fact) => isDeposit(fact) && isClose(fact)),
		holds: isStructuring,
	};
}

interface Played {
	atMs: number;
	amount: AnyMinor;
}

/** @param played the player's money at risk */
function withoutPlay(playerId: PlayerId, facts: readonly Fact[], played: readonly Played[]): Candidate {
	const { playedPercent } = CASE_RULES.DEPOSIT_WITHOUT_PLAY;
	return {
		...aboutPlayer(playerId),
		rule: 'DEPOSIT_WITHOUT_PLAY',
		facts,
		holds: (some) => {
			if (!isPassedThrough(some)) return false;
			const sinceMs = Math.min(...some.map(({ atMs }) => atMs));
			return sumOf(played.filter(({ atMs }) => atMs >= sinceMs)) < partOf(sumOf(some.filter(isDeposit)), playedPercent);
		},
	};
}

/** Whether most of large deposits was withdrawn after the first of them. */
function isPassedThrough(facts: readonly Fact[]): boolean {
	const { least, withdrawnPercent } = CASE_RULES.DEPOSIT_WITHOUT_PLAY;
	const deposits = facts.filter(isDeposit);
	const firstMs = Math.min(...deposits.map(({ atMs }) => atMs));
	const withdrawals = facts.filter((fact) => !isDeposit(fact) && fact.atMs >= firstMs);
	const deposited = sumOf(deposits);
	return comeTo(deposits, least) && sumOf(withdrawals) >= partOf(deposited, withdrawnPercent);
}

/** @param sinceMs the beginning of what the rules look at */
export async function moneyCandidates(
	reads: Reads,
	players: readonly PlayerId[],
	sinceMs: number,
): Promise<Candidate[]> {
	const { rows } = await reads.query<Move>(MOVES, [players, sinceMs]);
	const facts = Map.groupBy(rows.map(factOf), ({ playerId }) => playerId);
	const passers = [...facts].filter(([, own]) => isPassedThrough(own)).map(([playerId]) => playerId);
	const played = passers.length === 0 ? [] : await playedBy(reads, passers, sinceMs);
	return [
		...[...facts].map(([playerId, own]) => structuring(playerId, own)),
		...passers.map((playerId) =>
			withoutPlay(
				playerId,
				facts.get(playerId) ?? [],
				played.filter((row) => row.playerId === playerId),
			),
		),
	].filter((candidate) => candidate.holds(candidate.facts));
}

async function playedBy(reads: Reads, players: readonly PlayerId[], sinceMs: number) {
	const { rows } = await reads.query<Played & { playerId: PlayerId }>(
		`select wallet_id as "playerId", at as "atMs", amount from money_at_risk where wallet_id = any ($1) and at >= $2`,
		[players, sinceMs],
	);
	return rows;
}
