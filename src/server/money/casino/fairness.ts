/**
 * What the fairness page shows of the house's own games: counts of paid bets, voids, chains, and where the public log has
 * the last rounds. It is read once for all visitors of some seconds, by keys alone, so visitors cost the database nothing.
 */
import type pg from 'pg';
import { GAMES } from '#games/all-games.ts';
import type { BetTallies } from '#games/bet-tally.ts';
import type { RoundTallies } from '#server/money/casino/round-tallies.ts';
import { CHAIN_FACTS, type ChainFacts, withSalt } from '#server/money/casino/tables/hash-chain.ts';
import { heldAnswer } from '#server/platform/memory/held-answer.ts';
import { publishedLogs } from '#server/platform/public-log/log-rows.ts';

const KEPT_MS = 2_000;
/** Rounds of a game that a visitor's browser computes again. */
const NEWEST = 100;
/** A leaf of the public log. */
interface LogPlace {
	log: number;
	entry: number;
}

interface LoggedChain {
	facts: ChainFacts;
	/** Null until it is in the log; no round begins before. */
	leaf: LogPlace | null;
	/** It is announced for rounds that come later. */
	isAhead: boolean;
}

interface FairGame {
	game: string;
	rounds: number;
	/** By reason. */
	voids: Readonly<Record<string, number>>;
	bets: BetTallies;
	/** Newest first: those of the last rounds, and those that are announced for later ones. */
	chains: readonly LoggedChain[];
	/** Chains that were left before their end, by reason. */
	replaced: Readonly<Record<string, number>>;
	/** Leaves of the last rounds, oldest first, that the newest log has. */
	newest: readonly number[];
	/** Leaves with which rounds among them were announced. */
	announced: readonly number[];
}

interface FairnessFigures {
	/** The newest log; null before the first checkpoint. */
	log: { log: number; key: string; size: number; checkpoint: string } | null;
	games: readonly FairGame[];
}

interface FairnessOptions {
	db: pg.Pool;
	tallies: Pick<RoundTallies, 'of' | 'lastRound'>;
}

export class Fairness {
	readonly #options: FairnessOptions;
	/** At most a few seconds old. */
	readonly figures: () => Promise<FairnessFigures>;

	constructor(options: FairnessOptions) {
		this.#options = options;
		this.figures = heldAnswer(() => this.#read(), KEPT_MS);
	}

	async #read(): Promise<FairnessFigures> {
		const { db, tallies } = this.#options;
		const [[log = null], chains, replaced] = await Promise.all([publishedLogs(db), newestChains(db), leftChains(db)]);
		const leaves = log ? await this.#newestLeaves(log.log) : new Map<string, RoundPlace[]>();
		return {
			log: log && { log: log.log, key: log.key, size: log.size, checkpoint: log.checkpoint },
			games: GAMES.map((game) => {
				const { rounds, voids, bets } = tallies.of(game);
				return {
					game: game.code,
					rounds,
					voids,
					bets,
					chains: (chains.get(game.code) ?? []).map((chain) => ({
						...chain,
						// The round after the counted ones is the one in progress.
						isAhead: chain.facts.firstRound > tallies.lastRound(game.code) + 1,
					})),
					replaced: replaced.get(game.code) ?? {},
					newest: entriesOf(leaves.get(game.code), 'round'),
					announced: entriesOf(leaves.get(game.code), 'betting'),
				};
			}),
		};
	}

	async #newestLeaves(log: number): Promise<Map<string, RoundPlace[]>> {
		const { db, tallies } = this.#options;
		const refs = GAMES.flatMap(({ code }) => {
			const last = tallies.lastRound(code);
			return Array.from({ length: Math.min(NEWEST, last) }, (_, index) => `${code} ${last - index}`);
		});
		const { rows } = await db.query<RoundPlace>(
			`select split_part(ref, ' ', 1) as game, type, entry from public_log_entry
			where type in ('round', 'betting') and ref = any($1) and log = $2 order by entry`,
			[refs, log],
		);
		return Map.groupBy(rows, ({ game }) => game);
	}
}

/** A leaf about a round. */
interface RoundPlace {
	game: string;
	type: 'round' | 'betting';
	entry: number;
}

const entriesOf = (places: readonly RoundPlace[] | undefined, type: RoundPlace['type']): number[] =>
	(places ?? []).flatMap((place) => (place.type === type ? [place.entry] : []));

async function newestChains(db: pg.Pool): Promise<Map<string, Omit<LoggedChain, 'isAhead'>[]>> {
	const { rows } = await db.query<ChainFacts & { log: number | null; entry: number | null }>(
		`select ${CHAIN_FACTS}, leaf.log, leaf.entry from game_chain left join lateral (
			select log, entry from public_log_entry where type = 'chain' and ref = game || ' ' || number
			order by log desc, entry desc limit 1
		) as leaf on true
		where number >= coalesce((
			select min(chain) from table_round where table_round.game = game_chain.game and round > (
				select max(round) - ${NEWEST} from table_round where table_round.game = game_chain.game
			)
		), 0)
		order by number desc`,
	);
	const chains = rows.map(({ log, entry, ...facts }) => ({
		facts: withSalt(facts),
		leaf: log === null || entry === null ? null : { log, entry },
	}));
	return Map.groupBy(chains, ({ facts }) => facts.game);
}

async function leftChains(db: pg.Pool): Promise<Map<string, Record<string, number>>> {
	const { rows } = await db.query<{ game: string; reasons: Record<string, number> }>(
		`select game, jsonb_object_agg(replaced, chains) as reasons from (
			select game, replaced, count(*) as chains from game_chain where replaced is not null group by game, replaced
		) as left_chain group by game`,
	);
	return new Map(rows.map(({ game, reasons }) => [game, reasons]));
}
