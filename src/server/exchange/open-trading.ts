/** Opens the exchange with what shows its commits: the publisher and the history of prices. */
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { type ExchangeOptions, openExchange } from '#server/exchange/open-exchange.ts';
import type { Listings } from '#server/exchange/views/market-listing.ts';
import { PriceHistory } from '#server/exchange/views/price-history.ts';
import { createPublisher, type Publisher } from '#server/exchange/views/publisher.ts';
import { StartingPrices } from '#server/exchange/views/starting-prices.ts';
import { TradedVolumes } from '#server/exchange/views/traded-volumes.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { Listeners } from '#server/platform/bus/listeners.ts';
import type { MarketId } from '#values/ids.ts';

/** The connections and the key of the ledger, what is told of batches, and what a standby brings: see `ExchangeOptions`. */
interface TradingOptions
	extends Required<
		Pick<
			ExchangeOptions,
			| 'db'
			| 'ledger'
			| 'log'
			| 'ledgerKey'
			| 'pools'
			| 'commandRows'
			| 'pulse'
			| 'eventsOf'
			| 'onWritten'
			| 'onTraced'
			| 'onRecalled'
			| 'recovered'
			| 'onStopped'
		>
	> {
	bus: Bus;
	fixtures: Listings;
	/** The markets of all fixtures in memory. */
	remembered: () => readonly MarketId[];
	/** How fast feeds play, against real time. */
	speed: number;
}

export interface Trading {
	exchange: Exchange;
	publisher: Publisher;
	priceHistory: PriceHistory;
	traded: TradedVolumes;
	starting: StartingPrices;
	/** What follows the commits. */
	commits: Listeners<Committed>;
}

export async function openTrading(options: TradingOptions, started: AsyncDisposableStack): Promise<Trading> {
	const { db, bus, fixtures, log, remembered, speed } = options;
	const publisher = createPublisher({ bus, fixtures, exchange: () => exchange, clock: Date.now });
	started.defer(() => publisher.stop());
	const priceHistory = new PriceHistory({ db, bus, fixtures, log, clock: Date.now, speed });
	started.defer(() => priceHistory.stop());
	const commits = new Listeners<Committed>();
	commits.follow(publisher.onCommitted);
	commits.follow((committed) => priceHistory.onCommitted(committed));
	const traded = new TradedVolumes();
	commits.follow((committed) => traded.onCommitted(committed));
	await priceHistory.open(remembered());
	const exchange = await openExchange({
		db,
		ledger: options.ledger,
		log,
		ledgerKey: options.ledgerKey,
		pools: options.pools,
		commandRows: options.commandRows,
		pulse: options.pulse,
		recovered: options.recovered,
		remembered,
		traded: (marketId) => priceHistory.tradedIn(marketId),
		onCommitted: commits.notify,
		eventsOf: options.eventsOf,
		onWritten: options.onWritten,
		onTraced: options.onTraced,
		onRecalled: options.onRecalled,
		onStopped: options.onStopped,
	});
	started.defer(() => exchange.drain());
	const starting = new StartingPrices(exchange);
	commits.follow((committed) => starting.onCommitted(committed));
	return { exchange, publisher, priceHistory, traded, starting, commits };
}
