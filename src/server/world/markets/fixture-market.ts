/**
 * The markets: listed in the catalogue, opened in the exchange, priced by the market maker, moved through their lives,
 * settled and abandoned. Feeds and operators call this folder; it knows neither.
 *
 * This file moves one market of a fixture through its life. Each step checks the market's state first, so repeating it
 * changes nothing.
 */
import { settledBy } from '#engine/market-types/settled-by.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture, Fixtures } from '#server/world/fixtures/fixtures.ts';
import { MarketMaker, type QuotedRunner } from '#server/world/markets/market-maker.ts';
import { housePools } from '#server/world/markets/market-pools.ts';
import type { ResultProposals, Ruling } from '#server/world/markets/result-proposals.ts';
import { rulingOf } from '#server/world/markets/ruling-of.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayResult } from '#values/play-result.ts';

/** How long the exchange trusts a feed's prices without a message. */
export const FEED_LEASE_MS = 12_000;

/** The largest reduction the engine takes: a feed's factor may be rounded up to the whole price. */
const LARGEST_REDUCTION_BP = 9_999;

/** Refusals because an operator acted first: they are no fault of the feed. */
const TOO_LATE: ReadonlySet<string> = new Set([
	'MARKET_CLOSED',
	'MARKET_SUSPENDED',
	'ALREADY_IN_PLAY',
	'WRONG_MARKET_STATE',
	'MARKET_SETTLING',
	'MARKET_UNEVEN',
	'RUNNER_REMOVED',
	'RUNNER_SUSPENDED',
]);

/** The feed took its result back. */
export const RETRACTED = 'retracted';

const NO_QUOTES: QuotedRunner = { back: [], lay: [] };
const isQuoted = ({ back, lay }: QuotedRunner = NO_QUOTES): boolean => back.length > 0 || lay.length > 0;

export interface MarketParts {
	exchange: Exchange;
	fixtures: Fixtures;
	/** Lease of the markets that feeds open. Without one they stay open even if the feed is silent. */
	leaseMs?: number;
	/**
	 * Takes results of some feeds for confirmation by members, and any feed's contradictions. Without it every result
	 * settles its market immediately, and contradictions are dropped.
	 */
	resultProposals?: ResultProposals;
}

export class FixtureMarket {
	readonly fixture: Fixture;
	readonly listing: MarketListing;
	readonly #marketMaker: MarketMaker;
	readonly #exchange: Exchange;
	readonly #fixtures: Fixtures;
	readonly #proposals: ResultProposals | null;
	/** Its results need confirmation by a member. */
	readonly #waits: boolean;
	/** The last factor that the feed gave each removed runner, basis points. */
	readonly #factors = new Map<number, number>();
	/** Removed runners that the feed restored after betting had ended. */
	readonly #back = new Set<number>();
	/** The delay of bets that the feed gave last; a repetition changes nothing. */
	#givenDelayMs: number;
	/** The feed's last result, or its retraction: a repetition is ignored. */
	#said: string | null = null;

	constructor({ exchange, fixtures, resultProposals }: MarketParts, fixture: Fixture, listing: MarketListing) {
		this.#exchange = exchange;
		this.#fixtures = fixtures;
		this.fixture = fixture;
		this.listing = listing;
		this.#givenDelayMs = listing.betDelaySeconds * 1000;
		this.#proposals = resultProposals ?? null;
		this.#waits = resultProposals?.covers(fixture) ?? false;
		this.#marketMaker = new MarketMaker({ exchange, marketId: listing.id, pools: housePools(exchange) });
	}

	get #status() {
		return this.#exchange.market(this.listing.id)?.status;
	}

	/** Settled or void: final, unless an operator reopens the market. */
	get isSettled(): boolean {
		return this.#status === 'SETTLED' || this.#status === 'VOIDED';
	}
	/** The result is fixed: players are being paid, or were paid, by it. */
	get isDecided(): boolean {
		return this.isSettled || this.#status === 'SETTLING';
	}
	/** The result is final for the feed: the market is settled or void, or members have the feed's result to confirm. */
	get hasResult(): boolean {
		return this.isDecided || (this.#waits && this.#said !== null && this.#said !== RETRACTED);
	}
	/** Takes no more bets. */
	get isEnded(): boolean {
		return this.#status === 'CLOSED' || this.isDecided;
	}

	/** Delays the next bets as the feed's own market does. A longer delay that others set stays. */
	async delayBets(seconds: number): Promise<void> {
		const [givenMs, betDelayMs] = [this.#givenDelayMs, seconds * 1000];
		if (betDelayMs === givenMs) return;
		const standsMs = this.#exchange.market(this.listing.id)?.betDelayMs ?? givenMs;
		if (standsMs === givenMs || standsMs < betDelayMs)
			await this.#submit({ kind: 'change-terms', marketId: this.listing.id, terms: { betDelayMs } });
		this.#givenDelayMs = betDelayMs;
	}

	/** Turns the market and its fixture in-play. */
	async turnInPlay(): Promise<void> {
		if (!this.#exchange.market(this.listing.id)?.inPlay) {
			await this.#submit({ kind: 'turn-in-play', marketId: this.listing.id });
		}
		await this.#fixtures.setStatus(this.fixture.id, 'IN_PLAY');
	}

	/** @param lapseUnmatched true after a material incident: resting bets were placed without knowing of it */
	async suspend({ lapseUnmatched = false } = {}): Promise<void> {
		if (this.#status === 'SUSPENDED' && !lapseUnmatched) return;
		await this.#submit({ kind: 'suspend-market', marketId: this.listing.id, lapseUnmatched, byFeed: true });
	}

	/** Takes no bets while a ball is in play, and lapses none. */
	async holdForBall(): Promise<void> {
		const marketId = this.listing.id;
		if (this.#status === 'OPEN') {
			await this.#submit({
				kind: 'suspend-market',
				marketId,
				lapseUnmatched: false,
				ballRunning: true,
				byFeed: true,
			});
		}
		this.#exchange.renewLeases([marketId]);
	}

	/** Resumes betting. A market that an operator suspended stays suspended. */
	async resume(): Promise<void> {
		if (this.#isHeld) await this.#submit({ kind: 'resume-market', marketId: this.listing.id, byFeed: true });
	}

	get #isHeld(): boolean {
		return this.#status === 'SUSPENDED' || this.#status === 'BALL_RUNNING';
	}

	/** Opens betting at these quotes. Quotes at other prices are cancelled before the market resumes, and renew its lease. */
	async offer(runners: readonly QuotedRunner[]): Promise<void> {
		if (this.#isHeld) await this.quote(runners);
		const resumption = { kind: 'resume-market', marketId: this.listing.id, byFeed: true } as const;
		await unlessTooLate(this.#quote(runners, this.#isHeld ? [resumption] : []));
	}

	/**
	 * Opens betting at a trader's prices, which replace the resting ones.
	 * @param seenVersion the version that the trader saw; a later suspension stays
	 * @param priced the runner of the prices, which they resume, too; null if they are for all
	 * @throws Refused WRONG_MARKET_STATE
	 */
	async priceByHand(
		runners: readonly QuotedRunner[],
		seenVersion: number,
		priced: number | null = null,
	): Promise<void> {
		const marketId = this.listing.id;
		if (this.#exchange.market(marketId)?.version !== seenVersion) throw new Refused('WRONG_MARKET_STATE');
		if (this.#isHeld) {
			// Old prices leave the book while no bet can take them.
			await this.quote(runners);
			const resumption = { kind: 'resume-market', marketId, seenVersion } as const;
			await this.#quote(runners, [resumption]);
		}
		if (priced !== null && this.#isHeldRunner(priced) && isQuoted(runners[priced]))
			await this.#exchange.submit({ kind: 'resume-runner', marketId, runner: priced, seenVersion });
		// A separately suspended runner takes no quotes, and has none, until it is resumed.
		if (this.listing.bettingModel === 'BOOKMAKER') await Promise.all(this.#holdUnquoted(runners));
		await this.quote(runners);
	}

	/**
	 * Removes a non-runner, or corrects its factor if the feed's factor has changed. So an operator's factor stays while
	 * the feed merely repeats itself.
	 * @param factorBp its reduction factor; ignored by market types that reduce no prices
	 */
	async removeRunner(runner: number, factorBp: number): Promise<void> {
		const { removed = [], reducible = false } = this.#exchange.market(this.listing.id) ?? {};
		const reductionBp = reducible ? Math.min(Math.max(factorBp, 0), LARGEST_REDUCTION_BP) : 0;
		const known = removed.find(([gone]) => gone === runner);
		const isRepeated = this.#factors.get(runner) === reductionBp;
		const stands = known ? isRepeated || known[1] === reductionBp : isRepeated && this.isEnded;
		if (!stands) await this.#takeOut(runner, reductionBp, known?.[1]);
		this.#factors.set(runner, reductionBp);
	}

	/** @param before the factor of a runner that is already removed */
	async #takeOut(runner: number, reductionBp: number, before?: number): Promise<void> {
		const { id: marketId, runners } = this.listing;
		const name = runners[runner]?.name ?? '';
		if (before === undefined) {
			if (this.isEnded) return await this.report(`The feed removes ${name} after betting has ended.`);
			return await this.#submit({ kind: 'remove-runner', marketId, runner, reductionBp });
		}
		if (!this.isDecided) return await this.#submit({ kind: 'correct-reduction', marketId, runner, reductionBp });
		await this.report(`The feed gives ${name} the factor ${reductionBp / 100} %; bets were paid at ${before / 100} %.`);
		await this.#exchange.settled(this.listing.id);
		if (this.#proposals) await unlessTooLate(this.#proposals.proposeFactor(this.listing, runner, reductionBp));
	}

	/** The feed's reduction factors of the other runners; stored if the market reduces prices. */
	async noteFactors(factorsBp: ReadonlyMap<number, number>): Promise<void> {
		if (this.#exchange.market(this.listing.id)?.reducible) await this.#fixtures.setFactors(this.listing.id, factorsBp);
	}

	/** Returns a removed runner to the market. Runners that were not removed are left alone. */
	async returnRunner(runner: number): Promise<void> {
		const removed = this.#exchange.market(this.listing.id)?.removed ?? [];
		if (!removed.some(([gone]) => gone === runner)) return;
		if (!this.isEnded) return await this.#submit({ kind: 'return-runner', marketId: this.listing.id, runner });
		if (this.#back.has(runner)) return;
		await this.report(`The feed has ${this.listing.runners[runner]?.name} take part after all; its bets are void.`);
		this.#back.add(runner);
	}

	/**
	 * Replaces the quotes and renews the lease, because the prices are current. In BOOKMAKER markets a runner without
	 * quotes is suspended on its own, and one that an operator suspended gets none.
	 */
	async quote(runners: readonly QuotedRunner[]): Promise<void> {
		await this.#quote(runners, []);
	}

	/** @param opening commands that open the market for the quotes */
	async #quote(runners: readonly QuotedRunner[], opening: readonly Request[]): Promise<void> {
		const isOfHouse = this.listing.bettingModel === 'BOOKMAKER';
		const quoted = isOfHouse ? runners.map((one, at) => (this.#isHeldRunner(at) ? NO_QUOTES : one)) : runners;
		this.#marketMaker.quote(quoted, opening);
		const work = [this.#marketMaker.settled()];
		if (isOfHouse) work.push(...this.#holdUnquoted(runners));
		await Promise.all(work);
		this.#exchange.renewLeases([this.listing.id]);
	}

	/** An operator suspended the runner, and prices do not resume it. */
	#isHeldRunner(runner: number): boolean {
		return this.#exchange.market(this.listing.id)?.heldRunners.includes(runner) ?? false;
	}

	#holdUnquoted(runners: readonly QuotedRunner[]): Promise<void>[] {
		const suspended = this.#exchange.market(this.listing.id)?.suspended ?? [];
		return runners.flatMap((one, runner) => {
			if (isQuoted(one) !== suspended.includes(runner) || this.#isHeldRunner(runner)) return [];
			const kind = isQuoted(one) ? 'resume-runner' : 'suspend-runner';
			return [this.#submit({ kind, marketId: this.listing.id, runner, byFeed: true })];
		});
	}

	/** Stops quoting, because the market has ended by other means. */
	retire(): void {
		this.#marketMaker.retire();
	}

	/** Ends betting; the result follows. */
	async close(): Promise<void> {
		this.#marketMaker.retire();
		if (!this.isEnded) await this.#submit({ kind: 'close-market', marketId: this.listing.id });
	}

	/**
	 * Closes and settles by the result of play; voids the market if the result decides no runner. If members confirm
	 * results, the market is closed and its result proposed. A result that differs from a paid one is always proposed to
	 * members.
	 */
	async settle(result: PlayResult): Promise<void> {
		this.#marketMaker.retire();
		// An early end of play is weaker evidence than a result that is already proposed or paid.
		if (!this.isDecided) await this.#end(this.#rulingOf(result), !result.unfinished);
		else if (!result.unfinished) await this.#compare(this.#rulingOf(result));
	}

	/** Closes and returns every stake, or proposes that. */
	async void(): Promise<void> {
		if (this.isDecided) await this.#compare('VOID');
		else await this.#end('VOID', true);
	}

	/** Takes back a result that the feed has retracted: a pending proposal is withdrawn, and members are told. */
	async retractResult(): Promise<void> {
		// A result from before a restart is in the listing.
		const given = this.#said ?? this.listing.feedResult;
		if (!this.#proposals || given === RETRACTED) return;
		const hasWaited = await this.#proposals.retract(this.listing);
		if (given !== undefined || hasWaited) {
			await this.report(`The feed takes its result back${this.isDecided ? ', by which the market was paid' : ''}.`);
			await this.#keep(RETRACTED);
		}
		this.#said = RETRACTED;
	}

	/** Stores a contradiction by the feed. @param holds whether the market waits for an answer */
	async report(words: string, holds = false): Promise<void> {
		await this.#proposals?.report(this.listing, { words, holds });
	}

	/** Stores the feed's report about the result across restarts. It decides nothing by itself. */
	async #keep(said: string): Promise<void> {
		if (this.#proposals) await this.#fixtures.setFeedResult(this.listing.id, said);
	}

	/** A feed's result for a paid market: the same, or evidence against the payment. */
	async #compare(ruling: Ruling): Promise<void> {
		const said = JSON.stringify(ruling);
		if (!this.#proposals || this.#said === said) return;
		await this.#keep(said);
		if (this.#isPaidBy(ruling)) await this.#proposals.retract(this.listing);
		else {
			await this.report('The feed gives another result than the one that was paid.');
			await this.#exchange.settled(this.listing.id);
			await unlessTooLate(this.#proposals.propose(this.listing, ruling, true));
		}
		this.#said = said;
	}

	#isPaidBy(ruling: Ruling): boolean {
		const market = this.#exchange.market(this.listing.id);
		const by = market && this.isDecided ? settledBy(market) : null;
		if (!market || !by) return false;
		const { results, places } = by;
		if (ruling === 'VOID') return results === null;
		// Bets on a removed runner are void, regardless of its result.
		const gone = new Set(market.removed.map(([runner]) => runner));
		const decided = (each: readonly string[]) => each.filter((_, runner) => !gone.has(runner)).join();
		const { numberOfWinners } = this.listing;
		const isSame = decided(results ?? []) === decided(ruling.results);
		return results !== null && isSame && (places ?? numberOfWinners) === (ruling.places ?? numberOfWinners);
	}

	#rulingOf(result: PlayResult): Ruling {
		const ruling = rulingOf(this.listing, result);
		if (ruling) return ruling;
		const { id, type } = this.listing;
		throw new Error(`Market ${id}, ${type}, has no result from ${JSON.stringify(result)}.`);
	}

	async #end(ruling: Ruling, replaces: boolean): Promise<void> {
		await this.close();
		const said = JSON.stringify(ruling);
		// An operator who took the settlement back, or rejected the proposal, has seen this result.
		if (this.#said === said) return;
		// Before the market is paid by it, so that no crash leaves a market paid by an unknown result.
		await this.#keep(said);
		const marketId = this.listing.id;
		if (this.#waits) await unlessTooLate(this.#proposals?.propose(this.listing, ruling, replaces));
		else if (ruling === 'VOID') await this.#submit({ kind: 'void-market', marketId });
		else {
			const { value: _, ...result } = ruling;
			await this.#submit({ kind: 'settle-market', marketId, ...result });
		}
		this.#said = said;
	}

	async #submit(request: Request): Promise<void> {
		await unlessTooLate(this.#exchange.submit(request));
	}
}

/** Ignores refusals because an operator acted first. */
async function unlessTooLate(work: Promise<unknown> | undefined): Promise<void> {
	try {
		await work;
	} catch (error) {
		if (!(error instanceof Refused && TOO_LATE.has(error.code))) throw error;
	}
}
