/**
 * Sends the data for visitors from the process with the engine to gateways: fixtures from memory, markets and books in
 * their durable state. A message leaves in the turn of its change, and news at the turn's end, so a gateway is never
 * behind the clients of its hub.
 */
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { HEARTBEAT_MS } from '#contract/hub-messages.ts';
import { partsOf } from '#server/doors/gateway/message-parts.ts';
import {
	ABSENT_AFTER_MS,
	PROJECTION,
	PROJECTION_REQUESTS,
	type ProjectionChange,
	type ProjectionMessage,
	type ProjectionRequest,
	type WholeFixture,
} from '#server/doors/gateway/projection-messages.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { RemoteBus } from '#server/platform/bus/nats-bus.ts';
import type { CatalogueChange, Fixture, Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { MarketId } from '#values/ids.ts';

interface ProjectionSourceOptions {
	bus: Pick<RemoteBus, 'publishBytes' | 'subscribeBytes'>;
	fixtures: Pick<Fixtures, 'version' | 'all' | 'fixture' | 'markets' | 'market' | 'score' | 'onChange'>;
	exchange: Pick<Exchange, 'epoch' | 'isOpen' | 'isFresh' | 'market' | 'book' | 'onRebuilt'>;
}

export class ProjectionSource {
	readonly #options: ProjectionSourceOptions;
	readonly #instance = randomBytes(9).toString('base64url');
	/** Of the last message. */
	#number = 0;
	/** Until this time some gateway counts as alive: at the start there may be gateways that have not been heard yet. */
	#followedUntilMs = performance.now() + ABSENT_AFTER_MS;
	#isSendingAll = false;
	/** A gateway asked while everything was being sent. */
	#sendsAgain = false;
	#isClosed = false;
	readonly #close: (() => void)[];

	constructor(options: ProjectionSourceOptions) {
		this.#options = options;
		const { bus, fixtures, exchange } = options;
		fixtures.onChange((change) => this.#catalogueChanged(change));
		const beat = setInterval(() => this.#beat(), HEARTBEAT_MS);
		this.#close = [
			bus.subscribeBytes(PROJECTION_REQUESTS, ({ bytes }) => this.#heard(bytes)),
			exchange.onRebuilt(() => this.#missing()),
			() => clearInterval(beat),
		];
		this.#send([]);
	}

	close(): void {
		this.#isClosed = true;
		for (const close of this.#close.splice(0)) close();
	}

	readonly onCommitted = ({ markets, books }: Pick<Committed, 'markets' | 'books'>): void => {
		const changes: ProjectionChange[] = [];
		for (const { marketId } of markets) changes.push(...this.#market(marketId));
		for (const book of books) if (this.#options.fixtures.market(book.marketId)) changes.push({ book });
		if (changes.length > 0) this.#send(changes);
	};

	/** The tables brought a market back into memory, without a batch. */
	readonly onRecalled = (marketId: MarketId): void => this.#send(this.#market(marketId));

	/** Empty while lists do not have it. */
	#market(marketId: MarketId): ProjectionChange[] {
		const { fixtures, exchange } = this.#options;
		const market = fixtures.market(marketId) && exchange.market(marketId);
		return market ? [{ market }] : [];
	}

	#catalogueChanged(change: CatalogueChange): void {
		const { fixtures } = this.#options;
		const { kind, id } = change;
		if (kind === 'gone') this.#send([{ gone: id }]);
		else if (kind === 'listing') this.#listingChanged(fixtures.market(id));
		else {
			const fixture = fixtures.fixture(id);
			const score = fixtures.score(id);
			if (fixture && kind === 'loaded') this.#send([{ whole: this.#whole(fixture) }]);
			else if (fixture && kind === 'fixture') this.#send([{ fixture }]);
			else if (score && kind === 'score') this.#send([{ score, of: id }]);
		}
	}

	#listingChanged(listing: MarketListing | null): void {
		if (listing) this.#send([{ listing }]);
	}

	#whole(fixture: Fixture): WholeFixture {
		const { fixtures, exchange } = this.#options;
		const listings = fixtures.markets(fixture.id);
		const markets = listings.flatMap(({ id }) => exchange.market(id) ?? []);
		const books = markets.flatMap(({ marketId, pools }) =>
			pools.flatMap((pool) => exchange.book(marketId, pool) ?? []),
		);
		return { fixture, listings, score: fixtures.score(fixture.id), markets, books };
	}

	#beat(): void {
		if (this.#options.exchange.isOpen() && this.#options.exchange.isFresh()) this.#send([]);
	}

	#heard(bytes: Uint8Array): void {
		const { isMissing } = JSON.parse(Buffer.from(bytes).toString('utf8')) as ProjectionRequest;
		const wasFollowed = this.#isFollowed;
		this.#followedUntilMs = performance.now() + ABSENT_AFTER_MS;
		if (isMissing) void this.#sendAll();
		else if (!wasFollowed) this.#beat();
	}

	get #isFollowed(): boolean {
		return performance.now() < this.#followedUntilMs;
	}

	/** The shown data no longer matches: gateways request everything. */
	#missing(): void {
		this.#number += 1;
		this.#send([]);
	}

	/**
	 * A number is used even if no gateway receives it, so a returning gateway notices the gap. A process that may have
	 * been deposed is no authority, so it sends nothing.
	 */
	#send(changes: readonly ProjectionChange[], more: Pick<ProjectionMessage, 'begins' | 'ends'> = {}): void {
		this.#number += 1;
		const { bus, fixtures, exchange } = this.#options;
		if (!this.#isFollowed || this.#isClosed || !exchange.isFresh()) return;
		const message: ProjectionMessage = {
			instance: this.#instance,
			epoch: exchange.epoch(),
			number: this.#number,
			version: fixtures.version,
			changes,
			...more,
		};
		for (const part of partsOf(JSON.stringify(message))) bus.publishBytes(PROJECTION, part, '');
	}

	/** Sends everything, one fixture per turn, to all gateways; changes in between are sent as usual. */
	async #sendAll(): Promise<void> {
		this.#sendsAgain = true;
		if (this.#isSendingAll) return;
		this.#isSendingAll = true;
		while (this.#sendsAgain && !this.#isClosed) {
			this.#sendsAgain = false;
			// Gateways that miss the same message ask in one turn.
			await turn();
			this.#sendsAgain = false;
			this.#send([], { begins: true });
			for (const { id } of this.#options.fixtures.all()) {
				const fixture = this.#options.fixtures.fixture(id);
				if (fixture) this.#send([{ whole: this.#whole(fixture) }]);
				await turn();
			}
			this.#send([], { ends: this.#options.fixtures.all().map(({ id }) => id) });
		}
		this.#isSendingAll = false;
	}
}
