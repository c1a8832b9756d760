/** A process of players who bet on a market at a steady pace on request, and answers with each bet's milliseconds. */

import { Bettor } from './bettor.ts';
import { demoTokens } from './demo-logins.ts';
import type { BenchMarket } from './server-child.ts';

export interface Pace {
	market: BenchMarket;
	perSecond: number;
	forMs: number;
}

const PLAYERS = 500;

const port = Number(process.argv[2]);
const tokens = await demoTokens(port, PLAYERS);
process.on('message', async ({ market, perSecond, forMs }: Pace) => {
	const bettor = await Bettor.open(port, market, tokens);
	const took = await bettor.took(perSecond, forMs);
	bettor.close();
	process.send?.(took);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
