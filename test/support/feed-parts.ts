/** The parts of a test's server that a feed needs, with the house's wallets open. */
import { pino } from 'pino';
import type { SimulationParts } from '#server/world/feeds/simulated/played-fixture.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import type { TestServer } from './server.ts';

export async function feedParts({ running }: TestServer, speed = 1): Promise<SimulationParts> {
	const { exchange, fixtures, db, resultProposals } = running;
	await openMarketMakers(exchange);
	return { exchange, fixtures, db, resultProposals, log: pino({ level: 'silent' }), speed };
}
