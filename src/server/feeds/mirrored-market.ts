/**
 * One market of a stream beside ours: ours is quoted as the stream's book stands and moved through its life by the
 * stream's definition. It looks at where the stream stands alone, so bringing it there twice changes nothing.
 */
import type { FixtureMarket } from '#server/feeds/fixture-market.ts';
import type { StreamDefinition, StreamMarket } from '#server/feeds/stream-market.ts';
import { streamQuotes } from '#server/feeds/stream-quotes.ts';
import type { RunnerListing } from '#server/fixtures/fixtures.ts';

export const MIRRORED_RULES =
	'Settled by the result of the exchange it is taken from. Runners that do not take part are void, and the prices of ' +
	'the others are reduced.';

/** The stream's runners in the order we list them. */
export const runnersInOrder = ({ runners }: StreamDefinition): StreamDefinition['runners'] =>
	runners.toSorted((one, other) => one.sortPriority - other.sortPriority);

/** Their runner as one of ours; its id is its own among all markets of the stream. */
export const mirroredRunner = (
	marketId: string,
	id: number,
	listed: Omit<RunnerListing, 'id'> | undefined,
): RunnerListing => ({
	id: `${marketId}-${id}`,
	...(listed ?? { name: `Runner ${id}` }),
});

export class MirroredMarket {
	readonly market: FixtureMarket;
	readonly #stream: StreamMarket;
	/** The stream's numbers of the runners, in our order. */
	readonly #runnerIds: readonly number[];

	constructor(stream: StreamMarket, market: FixtureMarket, runnerIds: readonly number[]) {
		this.#stream = stream;
		this.market = market;
		this.#runnerIds = runnerIds;
	}

	/** @param current false while nobody knows where the stream stands: ours is suspended then */
	async bring(current: boolean): Promise<void> {
		const { market } = this;
		const { definition } = this.#stream;
		if (!definition || market.isOver) return;
		await this.#removals(definition);
		if (definition.inPlay) await market.turnInPlay();
		if (definition.status === 'CLOSED') return await this.#pay(definition);
		if (!current || definition.status !== 'OPEN') return await market.suspend();
		await market.resume();
		await market.quote(streamQuotes(this.#stream, this.#runnerIds));
	}

	async #removals({ runners }: StreamDefinition): Promise<void> {
		for (const { id, status, adjustmentFactor } of runners) {
			const runner = this.#runnerIds.indexOf(id);
			if (status === 'REMOVED') await this.market.remove(runner, Math.round((adjustmentFactor ?? 0) * 100));
			// Theirs may take part after all.
			else await this.market.takeBack(runner);
		}
	}

	async #pay({ runners }: StreamDefinition): Promise<void> {
		const winners = runners.filter(({ status }) => status === 'WINNER').map(({ id }) => this.#runnerIds.indexOf(id));
		// Closed without a winner is void there, and here.
		await this.market.pay(winners.length > 0 ? { winners } : { unfinished: true });
	}
}
