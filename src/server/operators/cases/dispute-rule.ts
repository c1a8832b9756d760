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

interface PossiblyWon {
	marketId: MarketId;
	atMs: number;
	winners: number;
	/** Of the one who won most, before commission. */
	amount: AnyMinor;
}

/**
 * SQL: markets with bets in a detached month, in which the player `$1` bet and others of the pool `$3` won after `$2`. Who
 * met whom in them is not known any more. A withdrawal of one of these winners waits for a person for the same reason
 * (`withdrawals`).
 */
const POSSIBLE_WINNERS = `
	select market_id as "marketId", max(won.at) as "atMs", count(*)::int as winners, max(won.net) as amount
	from player_settlement as met join player_settlement as won using (market_id)
	  join player on player.player_id = won.wallet_id and player.pool = $3
	where met.wallet_id = $1 and won.wallet_id <> $1 and won.net > 0 and won.at >= $2
	  and exists (select from detached_bets where detached_bets.market_id = met.market_id)
	  and exists (
	    select from detached_bets as gone
	    where gone.market_id = won.market_id and gone.wallet_id in ($1, won.wallet_id))
	group by 1`;

/** Follows a look from dispute to dispute, and knows the winners at its end. */
export class ChargebackWinners {
	readonly #facts = new Map<PlayerId, Fact[]>();
	readonly #unknown: Candidate[] = [];
	/** One of which the detached months are looked at next. */
	#followed: Dispute | null = null;
	#lastId = 0;

	/** A look that fails is tried again with the same dispute. @returns false once there is no further dispute */
	async look(reads: Reads, sinceMs: number): Promise<boolean> {
		if (this.#followed) {
			await this.#lookAtDetached(reads, this.#followed);
			this.#followed = null;
			return true;
		}
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
		this.#lastId = dispute.id;
		this.#followed = dispute;
		return true;
	}

	async #lookAtDetached(reads: Reads, dispute: Dispute): Promise<void> {
		const { playerId, paidAtMs, pool } = dispute;
		const { rows } = await reads.query<PossiblyWon>(POSSIBLE_WINNERS, [playerId, paidAtMs, pool]);
		if (rows.length > 0) this.#unknown.push(unknownWinners(dispute, rows));
	}

	candidates(): Candidate[] {
		return [...[...this.#facts].map(candidateOf), ...this.#unknown].filter(({ facts, holds }) => holds(facts));
	}
}

const isEnough = (facts: readonly Fact[]): boolean =>
	comeTo(
		facts.filter(({ kind }) => kind === 'market'),
		CASE_RULES.CHARGEBACK_WINNER.least,
	);

/**
 * One case for the dispute, and none for each player who won in its markets, of whom there may be thousands. Once the month
 * is attached the rule sees who it was.
 */
function unknownWinners(dispute: Dispute, markets: readonly PossiblyWon[]): Candidate {
	const { id, playerId } = dispute;
	return {
		rule: 'CHARGEBACK_WINNER',
		subject: `dispute ${id}`,
		isCircle: false,
		players: [playerId],
		facts: [
			{ ...paymentFact(dispute, playerId), name: `dispute ${id} and its unknown winners` },
			...markets.map((market) => possiblyWonFact(dispute, market)),
		],
		holds: isEnough,
	};
}

function candidateOf([winnerId, facts]: [winnerId: PlayerId, facts: readonly Fact[]]): Candidate {
	const losers = new Set(facts.filter(({ kind }) => kind === 'payment').map(({ playerId }) => playerId));
	return {
		rule: 'CHARGEBACK_WINNER',
		subject: `player ${winnerId}`,
		isCircle: false,
		players: [winnerId, ...losers],
		facts,
		holds: isEnough,
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

const possiblyWonFact = ({ id, playerId, pool }: Dispute, { marketId, atMs, winners, amount }: PossiblyWon): Fact => ({
	name: `dispute ${id} and unknown winners in market ${marketId}`,
	kind: 'market',
	ref: marketId,
	playerId,
	atMs,
	amount,
	currency: currencyOf(pool),
	words:
		`Bets of this market are in a detached month, so from whom its winners won is not known: ` +
		`${winners === 1 ? 'one player' : `${winners} players`} won after the payment, up to this amount.`,
});
