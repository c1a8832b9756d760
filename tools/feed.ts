/**
 * `npm run feed -- inspect FILE…`: the contents of recorded stream files, one JSON line each; a folder stands for its
 * files.
 */

import {
	type MarketMessage,
	runnerKey,
	type StreamMarket,
	StreamMarkets,
} from '../src/server/world/feeds/betfair/stream-market.ts';
import { isRemoved } from '../src/server/world/feeds/betfair/stream-result.ts';
import { readRecording } from '../src/server/world/feeds/recorded/read-recording.ts';
import { filesOf } from '../src/server/world/feeds/recorded/recorded-files.ts';
import { priceFromDecimal, tickOf } from '../src/values/price-ladder.ts';

interface Counts {
	/** Messages after which a runner's best back was at or above its best lay. */
	crossedAtMessageEnd: number;
	/** Prices off the ladder at the end of a message. */
	offLadder: Set<number>;
}

function look(market: StreamMarket, counts: Counts): void {
	let crossed = false;
	for (const runner of market.runners.keys()) {
		const { back, lay } = market.book(runner);
		const [bestBack, bestLay] = [back[0]?.[0], lay[0]?.[0]];
		if (bestBack !== undefined && bestLay !== undefined && bestBack >= bestLay) crossed = true;
		for (const [price] of [...back, ...lay]) {
			const hundredths = priceFromDecimal(price);
			if (hundredths === null || tickOf(hundredths) < 0) counts.offLadder.add(price);
		}
	}
	if (crossed) counts.crossedAtMessageEnd++;
}

async function inspect(file: string): Promise<void> {
	const stream = new StreamMarkets();
	const counts = new Map<string, Counts>();
	const { messages, cutShort, outOfOrder } = await readRecording(file);
	for (const message of messages.filter(({ op }) => op === 'mcm') as MarketMessage[]) {
		for (const market of stream.apply(message)) {
			const of = counts.get(market.id) ?? { crossedAtMessageEnd: 0, offLadder: new Set() };
			counts.set(market.id, of);
			look(market, of);
		}
	}
	const markets = [...stream.markets.values()].map((market) => {
		const runners = market.definition?.runners ?? [];
		const found = counts.get(market.id);
		return {
			marketId: market.id,
			status: market.definition?.status ?? null,
			inPlay: market.definition?.inPlay ?? null,
			winners: runners.filter(({ status }) => status === 'WINNER').map(runnerKey),
			removed: runners
				.filter(({ status }) => isRemoved(status))
				.map((runner) => ({ runner: runnerKey(runner), factor: runner.adjustmentFactor ?? null })),
			numberOfWinners: market.definition?.numberOfWinners ?? null,
			crossedAtMessageEnd: found?.crossedAtMessageEnd ?? 0,
			offLadder: found?.offLadder.size ?? 0,
			updates: market.updates,
		};
	});
	const remarks = { ...(cutShort ? { cutShort } : {}), ...(outOfOrder ? { outOfOrder } : {}) };
	console.log(JSON.stringify({ file, messages: messages.length, ...remarks, markets }));
}

const [act, ...paths] = process.argv.slice(2);
if (act !== 'inspect' || paths.length === 0) {
	console.error('npm run feed -- inspect FILE…');
	process.exit(1);
}
try {
	for (const path of paths) for (const file of await filesOf(path)) await inspect(file);
} catch (error) {
	console.error((error as Error).message);
	process.exit(1);
}
