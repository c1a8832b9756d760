/** The rule of mule circles: persons who let money be paid out to accounts that they share. */
import { type Candidate, comeTo, type Fact, type Reads } from '#server/operators/cases/candidate.ts';
import { CASE_RULES } from '#values/cases.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, type Pool } from '#values/pools.ts';

interface Payout {
	playerId: PlayerId;
	id: number;
	atMs: number;
	amount: AnyMinor;
	pool: Pool;
	masked: string;
	/** The payout account. */
	fingerprint: string;
}

/** SQL: since `$2`, withdrawals of the players `$1` to payout accounts that other players have, too. */
const SHARED_PAYOUTS = `
	select workflow.wallet_id as "playerId", workflow.id, workflow.opened_at as "atMs",
	  (workflow.data ->> 'amount')::bigint as amount, workflow.pool, own.masked, own.fingerprint
	from workflow join payout_details as own on own.details_id = workflow.data ->> 'detailsId'
	where workflow.wallet_id = any ($1) and workflow.kind = 'WITHDRAWAL' and workflow.at >= $2
	  and workflow.state not in ('REJECTED', 'CANCELLED', 'FAILED', 'RETURNED')
	  and exists (select 1 from payout_details as other
	    where other.fingerprint = own.fingerprint and other.player_id <> own.player_id)`;

/** Follows a look from players to players, and knows the circles at its end. */
export class MuleCircles {
	readonly #personOf: (playerId: PlayerId) => PlayerId;
	readonly #payouts: Payout[] = [];

	/** @param personOf the oldest account of the player's person */
	constructor(personOf: (playerId: PlayerId) => PlayerId) {
		this.#personOf = personOf;
	}

	async look(reads: Reads, players: readonly PlayerId[], sinceMs: number): Promise<void> {
		const { rows } = await reads.query<Payout>(SHARED_PAYOUTS, [players, sinceMs]);
		this.#payouts.push(...rows);
	}

	candidates(): Candidate[] {
		const circles = Map.groupBy(this.#payouts, this.#circleOf());
		return [...circles.values()].map((payouts) => this.#candidate(payouts)).filter(({ facts, holds }) => holds(facts));
	}

	/** Payouts to one account, and payouts of one person, are of one circle. */
	#circleOf(): (payout: Payout) => string {
		const joined = new Map<string, string>();
		const rootOf = (node: string): string => {
			const next = joined.get(node) ?? node;
			if (next === node) return node;
			const root = rootOf(next);
			joined.set(node, root);
			return root;
		};
		for (const { playerId, fingerprint } of this.#payouts)
			joined.set(rootOf(`person ${this.#personOf(playerId)}`), rootOf(fingerprint));
		return ({ fingerprint }) => rootOf(fingerprint);
	}

	#candidate(payouts: readonly Payout[]): Candidate {
		const { leastPersons, least } = CASE_RULES.MULE_CIRCLE;
		const players = [...new Set(payouts.map(({ playerId }) => playerId))].sort((one, other) => one - other);
		return {
			rule: 'MULE_CIRCLE',
			subject: `circle of player ${players[0]}`,
			isCircle: true,
			players,
			facts: payouts.map(factOf),
			holds: (facts) =>
				new Set(facts.map(({ playerId }) => this.#personOf(playerId))).size >= leastPersons && comeTo(facts, least),
		};
	}
}

const factOf = ({ playerId, id, atMs, amount, pool, masked }: Payout): Fact => ({
	name: `WITHDRAWAL ${id}`,
	kind: 'withdrawal',
	ref: id,
	playerId,
	atMs,
	amount,
	currency: currencyOf(pool),
	words: `Paid out to ${masked}, which others have, too.`,
});
