/**
 * Demo players as a process of their own, who bet as fast as they are answered, at each of the ports of the command line. A
 * message says for how long; the answer has their bets a second.
 */

import { betRate, loadOn } from './bet-load.ts';
import { demoTokens } from './demo-logins.ts';
import type { BenchMarket } from './server-child.ts';

const PLAYERS = 300;

const [, , market = '', ...ports] = process.argv;
const tokens = await demoTokens(Number(ports[0]), PLAYERS);
const load = loadOn(ports.map(Number), JSON.parse(market) as BenchMarket, tokens);
process.on('message', async (forMs: number) => {
	const flood = await load(forMs);
	process.send?.({ betsPerSecond: Math.round(betRate([flood])), errors: Object.fromEntries(flood.errors) });
});
process.send?.('ready');
