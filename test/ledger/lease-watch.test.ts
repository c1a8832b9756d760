/** What is logged when a feed falls silent. */
import pino from 'pino';
import { expect, it } from 'vitest';
import type { Engine } from '#engine/engine.ts';
import { FeedLeases } from '#server/exchange/order/feed-leases.ts';
import { LeaseWatch } from '#server/exchange/order/lease-watch.ts';
import type { MarketId } from '#values/ids.ts';

it('hundreds of silent markets are one short line, with their number and the first of them', () => {
	const leases = new FeedLeases(() => 0);
	const marketIds = Array.from({ length: 400 }, (_, at) => (1_000_000 + at) as MarketId);
	for (const marketId of marketIds) leases.adopt(marketId, 1_000);
	const lines: string[] = [];
	const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
	const suspended: MarketId[] = [];
	const engine = { market: () => ({ status: 'OPEN' }) } as unknown as Engine;
	const watch = new LeaseWatch({
		leases,
		engine,
		log,
		suspend: (marketId) => void suspended.push(marketId),
		isPaused: () => false,
	});
	watch.start();
	watch.stop();
	expect(suspended).toEqual(marketIds);
	expect(lines).toHaveLength(1);
	expect(JSON.parse(lines[0] ?? '')).toMatchObject({ markets: 400, marketIds: marketIds.slice(0, 10) });
});
