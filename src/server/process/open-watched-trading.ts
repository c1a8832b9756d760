/**
 * Connects the exchange with its observers: gateways, its heartbeat, its readiness, the targets of cash-outs and the
 * metrics.
 */
import { ProjectionSource } from '#server/doors/gateway/projection-source.ts';
import { startHeartbeat } from '#server/doors/hub/heartbeat.ts';
import { openTrading, type Trading } from '#server/exchange/open-trading.ts';
import { openLifeSigns } from '#server/exchange/standby/life-signs-thread.ts';
import { AutoCashOut } from '#server/money/cash-out/auto-cash-out.ts';
import type { Webhooks } from '#server/operators/webhooks/open-webhooks.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { NatsBus } from '#server/platform/bus/nats-bus.ts';
import type { Opening } from '#server/process/opening.ts';
import { Readiness } from '#server/process/readiness.ts';
import type { ServerCore } from '#server/process/serve.ts';
import { marketIdsIn } from '#server/world/fixtures/fixtures.ts';
import type { World } from '#server/world/open-world.ts';

interface WatchedBy {
	bus: Bus;
	/** The same bus; null without gateways. */
	nats: NatsBus | null;
	world: World;
	telemetry: ServerCore['telemetry'];
	webhooks: Pick<Webhooks, 'eventsOf'>;
}

export async function openWatchedTrading(
	{ config, reach, log, database, onStopped, takenOver }: Opening,
	{ bus, nats, world, telemetry: { metrics, traces }, webhooks }: WatchedBy,
	started: AsyncDisposableStack,
): Promise<{ trading: Trading; readiness: Readiness; targets: AutoCashOut['reached'] }> {
	let projection: ProjectionSource | null = null;
	const lifeSigns = takenOver?.lifeSigns ?? (reach.commandRows ? openLifeSigns(database, log, started) : null);
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
			pools: config.pools,
			commandRows: reach.commandRows,
			pulse: lifeSigns?.pulse,
			recovered: takenOver?.recovered,
			eventsOf: webhooks.eventsOf,
			onWritten: metrics?.onWritten,
			onTraced: traces?.onTraced,
			onRecalled: (marketId) => projection?.onRecalled(marketId),
			onStopped,
		},
		started,
	);
	const { exchange, commits } = trading;
	if (nats) projection = new ProjectionSource({ bus: nats, fixtures: world.fixtures, exchange });
	started.defer(() => projection?.close());
	started.defer(startHeartbeat(bus, exchange));
	const readiness = new Readiness({ databaseUrl: database.databaseUrl, isOpen: () => exchange.isOpen() });
	started.defer(() => readiness.end());
	const autoCashOut = new AutoCashOut({ exchange, log });
	commits.follow(() => readiness.committed());
	commits.follow((committed) => autoCashOut.onCommitted(committed));
	commits.follow((committed) => projection?.onCommitted(committed));
	if (metrics) commits.follow(metrics.onCommitted);
	return { trading, readiness, targets: autoCashOut.reached };
}
