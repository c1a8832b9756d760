/** Ties the exchange to what watches it: its heartbeat, its readiness, the targets of cash-outs and the metrics. */
import { startHeartbeat } from '#server/doors/hub/heartbeat.ts';
import { openTrading, type Trading } from '#server/exchange/open-trading.ts';
import { AutoCashOut } from '#server/money/cash-out/auto-cash-out.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Opening } from '#server/process/opening.ts';
import { Readiness } from '#server/process/readiness.ts';
import type { ServerCore } from '#server/process/serve.ts';
import { marketIdsIn } from '#server/world/fixtures/fixtures.ts';
import type { World } from '#server/world/open-world.ts';

interface WatchedBy {
	bus: Bus;
	world: World;
	telemetry: ServerCore['telemetry'];
}

export async function openWatchedTrading(
	{ config, reach, log, database, onStopped, takenOver }: Opening,
	{ bus, world, telemetry: { metrics, traces } }: WatchedBy,
	started: AsyncDisposableStack,
): Promise<{ trading: Trading; readiness: Readiness }> {
	const trading = await openTrading(
		{
			db: database.db,
			ledger: database.ledger,
			bus,
			fixtures: world.fixtures,
			remembered: () => marketIdsIn(world.fixtures),
			speed: config.feeds.speed,
			log,
			ledgerKey: config.ledgerKey,
			commandRows: reach.commandRows,
			freshMs: config.freshMs,
			recovered: takenOver?.recovered,
			onWritten: metrics?.onWritten,
			onTraced: traces?.onTraced,
			onStopped,
		},
		started,
	);
	const { exchange, commits } = trading;
	started.defer(startHeartbeat(bus));
	const readiness = new Readiness({ databaseUrl: database.databaseUrl, isOpen: () => exchange.isOpen() });
	started.defer(() => readiness.end());
	const autoCashOut = new AutoCashOut({ exchange, log });
	commits.follow(() => readiness.committed());
	commits.follow((committed) => autoCashOut.onCommitted(committed));
	if (metrics) commits.follow(metrics.onCommitted);
	return { trading, readiness };
}
