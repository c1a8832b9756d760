/**
 * Mirrors one market of a stream: quotes the stream's book in ours and follows the stream's definition through the market's
 * life. Only the stream's state decides, so following it twice changes nothing.
 */
import type { Logger } from 'pino';
import { LONGEST_DELAY_MS, MOST_RUNNERS } from '#engine/market-types/market-type.ts';
import type { MarketListing, RunnerListing } from '#server/exchange/views/market-listing.ts';
import {
	type RunnerKey,
	runnerKey,
	type StreamDefinition,
	type StreamMarket,
} from '#server/world/feeds/betfair/stream-market.ts';
import { streamQuotes } from '#server/world/feeds/betfair/stream-quotes.ts';
import { isRemoved, isWithdrawn, resultOf } from '#server/world/feeds/betfair/stream-result.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { Refused } from '#values/error-catalogue.ts';

export const MIRRORED_RULES =
	'Settled by the result of the exchange it is taken from. Runners that do not take part are void; in a race the prices ' +
	'of the others are reduced.';

/** The selection id of the draw, the same in every match. */
export const DRAW_ID = 58_805;
export const DRAW = 'The Draw';
/** Market types whose first runner is fixed here; the stream may name the other runner first. */
const OUR_FIRST: Record<string, RegExp> = { OVER_UNDER: /^over\b/i, COMPLETED_MATCH: /^yes\b/i };

/** The name of a runner of which only the selection id is known. */
export const unnamed = (id: number): string => (id === DRAW_ID ? DRAW : `Runner ${id}`);

/** A runner as listed here. Its id is unique among all markets of the stream and contains the stream's key. */
const mirroredRunner = (marketId: string, key: RunnerKey, listed: Omit<RunnerListing, 'id'>): RunnerListing => ({
	id: `${marketId}-${key}`,
	...listed,
});

/** Whether a listing is of that market of the stream. */
export const mirrors = ({ runners }: Pick<MarketListing, 'runners'>, marketId: string): boolean =>
	runners[0]?.id.startsWith(`${marketId}-`) ?? false;

const keyOf = (marketId: string, { id }: RunnerListing): RunnerKey => {
	const key = id.slice(marketId.length + 1);
	return key.includes('_') ? key : Number(key);
};

/** The stream's runners in our order, with their names where known. */
export function mirroredRunners(
	marketId: string,
	type: string,
	runners: StreamDefinition['runners'],
	listed: (runner: StreamDefinition['runners'][number]) => Omit<RunnerListing, 'id'> | undefined,
): RunnerListing[] {
	const ours = runners
		.toSorted((one, other) => one.sortPriority - other.sortPriority)
		.map((runner) => mirroredRunner(marketId, runnerKey(runner), listed(runner) ?? { name: unnamed(runner.id) }));
	const isFirst = ({ name }: RunnerListing) => OUR_FIRST[type]?.test(name) ?? false;
	return ours.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
}

/** Why a market of the stream cannot be listed, as the end of a sentence; null if it can. */
export function unlistable(type: string, { numberOfWinners }: StreamDefinition, runners: number): string | null {
	if (runners < 2) return 'it names fewer than two runners';
	if (runners > MOST_RUNNERS) return `it names more than ${MOST_RUNNERS} runners`;
	if (type !== 'PLACE')
		return numberOfWinners === 1 ? null : `it announces ${numberOfWinners} winners, where a market of its kind has one`;
	return numberOfWinners < 1 || numberOfWinners > runners
		? `it announces ${numberOfWinners} places for ${runners} runners`
		: null;
}

/** The bet delay of the stream's market in whole seconds, capped at the engine's limit. */
export const mirroredDelay = (definition: StreamDefinition | undefined): number =>
	Math.min(Math.round(definition?.betDelay ?? 0), LONGEST_DELAY_MS / 1000);

export class MirroredMarket {
	readonly market: FixtureMarket;
	readonly #stream: StreamMarket;
	readonly #log: Logger;
	/** Keys of the stream's runners, in our order. */
	readonly #keys: readonly RunnerKey[];
	readonly #delayOf: typeof mirroredDelay;
	/** The fault that was logged last; null when there is none. */
	#loggedFault: string | null = null;

	/** @param delayOf our bet delay in whole seconds by the stream's definition, whose time may not run as ours */
	constructor(stream: StreamMarket, market: FixtureMarket, log: Logger, delayOf = mirroredDelay) {
		this.#stream = stream;
		this.market = market;
		this.#log = log;
		this.#delayOf = delayOf;
		this.#keys = market.listing.runners.map((runner) => keyOf(stream.id, runner));
	}

	/** Moves our market to the stream's state. @param current false while that state is unknown: our market is suspended */
	async follow(current: boolean): Promise<void> {
		const { market } = this;
		const { definition, fault } = this.#stream;
		if (!definition) return;
		if (isWithdrawn(definition, this.#keys)) return await market.void();
		await this.#updateRunners(definition);
		// Once our market is paid, the stream either repeats the result or contradicts it.
		if (market.isSettled)
			return await (definition.status === 'CLOSED' ? this.#settle(definition) : market.retractResult());
		if (definition.inPlay && !market.isEnded) {
			// The service names no delay before play. It is there before the first bet in-play.
			await market.delayBets(this.#delayOf(definition));
			await market.turnInPlay();
		}
		if (definition.status === 'CLOSED') return await this.#settle(definition);
		// A market closed here is not reopened; the stream no longer has a result for it.
		if (market.isEnded) return await market.retractResult();
		const wrong = fault ?? this.#unlistedIn(definition);
		if (wrong !== null) return await this.#suspendFor(wrong);
		this.#loggedFault = null;
		if (!current || definition.status !== 'OPEN') return await market.suspend();
		await market.offer(streamQuotes(this.#stream, this.#keys));
	}

	async #updateRunners({ runners }: StreamDefinition): Promise<void> {
		// First, so that the message about a removal has the new factors of the others.
		await this.market.noteFactors(this.#factorsOf(runners));
		for (const { status, adjustmentFactor, ...runner } of runners) {
			const index = this.#keys.indexOf(runnerKey(runner));
			if (index < 0) continue;
			if (isRemoved(status)) await this.market.removeRunner(index, Math.round((adjustmentFactor ?? 0) * 100));
			// A removed runner may take part after all.
			else await this.market.returnRunner(index);
		}
	}

	/** In basis points, in our order. */
	#factorsOf(runners: StreamDefinition['runners']): Map<number, number> {
		const factors = runners.map((runner) => [this.#keys.indexOf(runnerKey(runner)), runner.adjustmentFactor] as const);
		return new Map(
			factors.flatMap(([index, factor]) => (index < 0 || factor == null ? [] : [[index, Math.round(factor * 100)]])),
		);
	}

	/** Unlisted runners stop betting: laying every listed runner would need no exposure and lose all when an unlisted one wins. */
	#unlistedIn({ runners }: StreamDefinition): string | null {
		const unlisted = runners
			.filter(({ status }) => status === 'ACTIVE')
			.map(runnerKey)
			.filter((key) => !this.#keys.includes(key));
		return unlisted.length > 0 ? `the stream has runners that are not listed here: ${unlisted.join(', ')}` : null;
	}

	async #settle(definition: StreamDefinition): Promise<void> {
		const result = resultOf(definition, this.#keys);
		// This does not contradict a result from an earlier, complete definition.
		if (result.kind === 'UNDECIDED') {
			if (this.market.isSettled) return;
			return await this.#suspendFor(`no result can be taken from its closing: ${result.reason}`);
		}
		if (result.kind === 'VOID') return await this.market.void();
		try {
			await this.market.settle(result.result);
		} catch (error) {
			if (!(error instanceof Refused && error.code === 'INCOMPLETE_RESULT')) throw error;
			await this.#suspendFor('its result is none of this market');
		}
	}

	/** Suspends our market until the stream is sound again or an operator acts. Logs and reports each fault once. */
	async #suspendFor(reason: string): Promise<void> {
		const { market } = this;
		if (!market.isSettled) await market.suspend();
		if (reason === this.#loggedFault) return;
		await market.report(`The market takes no bets: ${reason}.`, true);
		this.#loggedFault = reason;
		const { listing, fixture } = market;
		this.#log.error(
			{ marketId: listing.id, streamMarket: this.#stream.id, reason },
			`Market ${listing.id}, ${listing.name} of ${fixture.title} (${this.#stream.id} of the stream), takes no bets: ` +
				`${reason}. The stream's next sound definition moves it on; otherwise an operator settles or voids it.`,
		);
	}
}
