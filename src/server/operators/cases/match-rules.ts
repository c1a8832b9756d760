/** Rules over matches: pairs far off the market, and money that goes round. */
import {
	type Candidate,
	comeTo,
	type Fact,
	inMinor,
	partOf,
	type Reads,
	sumOf,
} from '#server/operators/cases/candidate.ts';
import { IS_FAR, metWhere, NUMBERED, RUNS } from '#server/operators/suspicious-matches.ts';
import { CASE_RULES } from '#values/cases.ts';
import type { Currency } from '#values/currency-codes.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, FIRST_PLAYER_ID, type Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';

/** The wallets of the house count as one. */
const HOUSE = 0;

/** A match far off the market; prices are hundredths, null where no other trade was before or after. */
interface FarMatch {
	batch: number;
	line: number;
	atMs: number;
	betId: number;
	price: number;
	before: number | null;
	after: number | null;
	/** The first account's gain, minor units. */
	won: AnyMinor;
}

/** What passed between two accounts in a market; the house is the first one. */
interface PairInMarket {
	marketId: MarketId;
	pool: Pool;
	one: PlayerId;
	other: PlayerId;
	atMs: number;
	/** The first account's gain from the second, minor units. */
	won: AnyMinor;
	far: FarMatch[];
}

/** SQL: what passed between each two accounts in the markets `$1`. */
const PAIRS = `
	with met as materialized (${metWhere('met.market_id = any ($1)')}), numbered as materialized (${NUMBERED}),
	seen as (
	  select numbered.*, before, after, case when backer = one then gain else -gain end as won
	  from numbered join (${RUNS}) as around using (market_id, runner, pool, run)
	)
	select market_id as "marketId", pool, case when one < ${FIRST_PLAYER_ID} then ${HOUSE} else one end as one, other,
	  max(at) as "atMs", round(sum(won))::bigint as won,
	  coalesce(jsonb_agg(jsonb_build_object('batch', batch, 'line', line, 'atMs', at, 'betId', back_bet, 'price', price,
	    'before', before, 'after', after, 'won', round(won))) filter (where ${IS_FAR}), '[]') as far
	from seen where other >= ${FIRST_PLAYER_ID} and one <> other and won is not null
	group by 1, 2, 3, 4`;

/** Players who meet have one pool. */
interface FarPair {
	one: PlayerId;
	other: PlayerId;
	currency: Currency;
	matches: FarMatch[];
}

interface Flow {
	from: PlayerId;
	to: PlayerId;
	amount: number;
	currency: Currency;
	facts: Fact[];
}

const flowName = (from: PlayerId, to: PlayerId): string => `${from} > ${to}`;

const add = (sums: Map<PlayerId, number>, playerId: PlayerId, amount: number): void => {
	sums.set(playerId, (sums.get(playerId) ?? 0) + amount);
};

/** Follows a look from markets to markets, and knows the pairs and the circles at its end. */
export class SeenMatches {
	readonly #far = new Map<string, FarPair>();
	readonly #flows = new Map<string, Flow>();
	readonly #lost = new Map<PlayerId, number>();
	readonly #won = new Map<PlayerId, number>();

	async look(reads: Reads, markets: readonly MarketId[]): Promise<void> {
		const { rows } = await reads.query<PairInMarket>(PAIRS, [markets]);
		for (const row of rows) {
			this.#keepFlow(row);
			if (row.one !== HOUSE && row.far.length > 0) this.#keepFar(row);
		}
	}

	candidates(): Candidate[] {
		const found = [...[...this.#far.values()].map(offMarketPair), ...this.#cycles().map(circularFlow)];
		return found.filter(({ facts, holds }) => holds(facts));
	}

	#keepFar({ one, other, pool, far }: PairInMarket): void {
		const name = `${one} ${other}`;
		const known = this.#far.get(name);
		if (known) known.matches.push(...far);
		else this.#far.set(name, { one, other, currency: currencyOf(pool), matches: [...far] });
	}

	#keepFlow({ marketId, pool, one, other, atMs, won }: PairInMarket): void {
		if (won === 0) return;
		const [from, to] = won > 0 ? [other, one] : [one, other];
		const amount = Math.abs(won);
		const currency = currencyOf(pool);
		add(this.#lost, from, amount);
		add(this.#won, to, amount);
		if (one === HOUSE) return;
		const name = flowName(from, to);
		const flow = this.#flows.get(name) ?? { from, to, amount: 0, currency, facts: [] };
		flow.amount += amount;
		flow.facts.push({
			name: `market ${marketId}: ${name}`,
			kind: 'market',
			ref: marketId,
			playerId: from,
			atMs,
			amount,
			currency,
			words: `Lost to player ${to} in this market.`,
		});
		this.#flows.set(name, flow);
	}

	/** Each flow that is most of what its player lost, and of what the next one won; so each player has one at most. */
	#mainFlows(): Map<PlayerId, Flow> {
		const { least, percent } = CASE_RULES.CIRCULAR_FLOW;
		const isMain = ({ from, to, amount, currency }: Flow): boolean =>
			amount >= inMinor(currency, least) &&
			amount >= partOf(this.#lost.get(from) ?? 0, percent) &&
			amount >= partOf(this.#won.get(to) ?? 0, percent);
		return new Map([...this.#flows.values()].filter(isMain).map((flow) => [flow.from, flow]));
	}

	/** The circles, each from its oldest account on. */
	#cycles(): Flow[][] {
		const main = this.#mainFlows();
		const cycles: Flow[][] = [];
		for (const first of main.keys()) {
			const way: Flow[] = [];
			let flow = main.get(first);
			while (flow && way.length < CASE_RULES.CIRCULAR_FLOW.mostPlayers) {
				way.push(flow);
				if (flow.to <= first) break;
				flow = main.get(flow.to);
			}
			if (way.at(-1)?.to === first) cycles.push(way);
		}
		return cycles;
	}
}

function offMarketPair({ one, other, currency, matches }: FarPair): Candidate {
	const { leastMatches, least, gainedPercent } = CASE_RULES.OFF_MARKET_PAIR;
	const nameOf = ({ batch, line }: FarMatch) => `match ${batch}-${line}`;
	const won = new Map(matches.map((match) => [nameOf(match), match.won]));
	const gainOf = (facts: readonly Fact[]) => Math.abs(facts.reduce((sum, { name }) => sum + (won.get(name) ?? 0), 0));
	return {
		rule: 'OFF_MARKET_PAIR',
		subject: `players ${one} and ${other}`,
		isCircle: false,
		players: [one, other],
		facts: matches.map((match) => ({
			name: nameOf(match),
			kind: 'bet',
			ref: match.betId,
			playerId: match.won < 0 ? one : other,
			atMs: match.atMs,
			amount: Math.abs(match.won),
			currency,
			words: `Matched at ${decimalFromPrice(match.price)}, ${aroundText(match)}, and lost to player ${match.won < 0 ? other : one}.`,
		})),
		holds: (facts) =>
			facts.length >= leastMatches &&
			gainOf(facts) >= inMinor(currency, least) &&
			gainOf(facts) >= partOf(sumOf(facts), gainedPercent),
	};
}

function aroundText({ before, after }: FarMatch): string {
	const [earlier, later] = [before, after].map((price) => price !== null && decimalFromPrice(price));
	if (earlier && later) return `between trades of others at ${earlier} and ${later}`;
	return earlier ? `after a trade of others at ${earlier}` : `before a trade of others at ${later}`;
}

function circularFlow(cycle: readonly Flow[]): Candidate {
	const players = cycle.map(({ from }) => from);
	const flowOf = new Map(cycle.flatMap(({ from, to, facts }) => facts.map(({ name }) => [name, flowName(from, to)])));
	return {
		rule: 'CIRCULAR_FLOW',
		subject: `players ${players.join(' > ')}`,
		isCircle: false,
		players,
		facts: cycle.flatMap(({ facts }) => facts),
		holds: (facts) => {
			const flows = Map.groupBy(facts, ({ name }) => flowOf.get(name));
			const isLarge = (some: readonly Fact[]) => comeTo(some, CASE_RULES.CIRCULAR_FLOW.least);
			return flows.size === cycle.length && [...flows.values()].every(isLarge);
		},
	};
}
