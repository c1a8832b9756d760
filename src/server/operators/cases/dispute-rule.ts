/** The rule of chargebacks' winners: players who won from a player whose payment is disputed or was charged back. */
import { type Candidate, comeTo, type Fact, type Reads } from '#server/operators/cases/candidate.ts';
import { metWhere } from '#server/operators/suspicious-matches.ts';
import { CASE_RULES } from '#values/cases.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, FIRST_PLAYER_ID, type Pool } from '#values/pools.ts';

interface Dispute {
	id: number;
	/** The player whose payment it is. */
	playerId: PlayerId;
	atMs: number;
	paymentId: number;
	amount: AnyMinor;
	pool: Pool;
	paidAtMs: number;
}

/** SQL: the next dispute after `$2` of those that something happened to since `$1`. */
const NEXT_DISPUTE = `
	select id, wallet_id as "playerId", opened_at as "atMs", (data ->> 'payment')::bigint as "paymentId",
	  (data ->> 'amount')::bigint as amount, pool, (data ->> 'paidAtMs')::bigint as "paidAtMs"
	from workflow where kind = 'DISPUTE' and state in ('OPEN', 'OWED', 'LOST') and pool not like 'DEMO%' and at >= $1 and id > $2
	order by id limit 1`;

interface Won {
	winnerId: PlayerId;
	marketId: MarketId;
	atMs: number;
	amount: AnyMinor;
}

/** SQL: what each player won from the player `$1`, by market, in matches since `$2`. */
const WINNERS = `
	with met as materialized (${metWhere(`met.market_id in (select market_id from bet where wallet_id = $1)
	  and (back.wallet_id = $1 or lay.wallet_id = $1) and met.at >= $2`)})
	select case backer when $1 then layer else backer end as "winnerId", market_id as "marketId", max(at) as "atMs",
	  round(sum(case backer when $1 then -gain else gain end))::bigint as amount
	from met where one >= ${FIRST_PLAYER_ID} and gain is not null
	group by 1, 2 having sum(case backer when $1 then -gain else gain end) >= 1`;

/** Follows a look from dispute to dispute, and knows the winners at its end. */
export class ChargebackWinners {
	readonly #facts = new Map<PlayerId, Fact[]>();
	#lastId = 0;

	/** @returns false once there is no further dispute */
	async look(reads: Reads, sinceMs: number): Promise<boolean> {
		const { rows } = await reads.query<Dispute>(NEXT_DISPUTE, [sinceMs, this.#lastId]);
		const [dispute] = rows;
		if (!dispute) return false;
		const { rows: won } = await reads.query<Won>(WINNERS, [dispute.playerId, dispute.paidAtMs]);
		for (const [winnerId, markets] of Map.groupBy(won, (row) => row.winnerId))
			this.#facts.set(winnerId, [
				...(this.#facts.get(winnerId) ?? []),
				paymentFact(dispute, winnerId),
				...markets.map((market) => wonFact(dispute, market)),
			]);
		// A look that failed before is tried again with the same dispute.
		this.#lastId = dispute.id;
		return true;
	}

	candidates(): Candidate[] {
		return [...this.#facts].map(candidateOf).filter(({ facts, holds }) => holds(facts));
	}
}

function candidateOf([winnerId, facts]: [winnerId: PlayerId, facts: readonly Fact[]]): Candidate {
	const losers = new Set(facts.filter(({ kind }) => kind === 'payment').map(({ playerId }) => playerId));
	return {
		rule: 'CHARGEBACK_WINNER',
		subject: `player ${winnerId}`,
		isCircle: false,
		players: [winnerId, ...losers],
		facts,
		holds: (some) =>
			comeTo(
				some.filter(({ kind }) => kind === 'market'),
				CASE_RULES.CHARGEBACK_WINNER.least,
			),
	};
}

const paymentFact = ({ id, playerId, atMs, paymentId, amount, pool }: Dispute, winnerId: PlayerId): Fact => ({
	name: `dispute ${id} and player ${winnerId}`,
	kind: 'payment',
	ref: paymentId,
	playerId,
	atMs,
	amount,
	currency: currencyOf(pool),
	words: `Dispute ${id} of this payment, of which the amount is disputed.`,
});

const wonFact = ({ id, playerId, pool }: Dispute, { winnerId, marketId, atMs, amount }: Won): Fact => ({
	name: `dispute ${id} and player ${winnerId} in market ${marketId}`,
	kind: 'market',
	ref: marketId,
	playerId: winnerId,
	atMs,
	amount,
	currency: currencyOf(pool),
	words: `Won from player ${playerId} in this market, after the payment.`,
});
