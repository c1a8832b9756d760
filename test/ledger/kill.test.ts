/**
 * kill -9 of the real server, and of PostgreSQL under it, in the middle of a stream of bets, half of which meet another
 * player's: acknowledged bets exist once, and others not at all.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ServerProcess } from '../browser/server-process.ts';
import { byForm } from '../faults/support/form.ts';
import { matchByHand } from '../faults/support/listed-match.ts';
import { ask, demoPlayer, type Market, placeBet, RefusedCall } from '../faults/support/player-client.ts';

const OPTIONS = ['--no-feeds', '--rate-limit-factor', '1000', '--log-level', 'error'];

const PLAYERS = byForm(8, 16);
/** The others of the streams are on their way at that moment. */
const BETS_UNTIL_KILL = byForm(80, 200);
/** In all, rupees. */
const MOST_MATCHED = 100_000;
const ASK_AGAIN_MS = 20;
/** Of the server and of its database by turns. */
const KILLS = byForm(2, 10);

/** Of the attempt that runs. */
let server: ServerProcess;

interface Stream {
	token: string;
	/** Bets acknowledged since the stream began. */
	placed: string[];
	/** Asked last, and not answered by then. */
	unanswered: object | null;
}

/** Bets one after another until it is told to stop. What got no answer is asked again, as a player's page does. */
async function bet(token: string, market: Market, load: Load): Promise<Stream> {
	const placed: string[] = [];
	let unanswered: object | null = null;
	while (!load.stopped) {
		const body: object = unanswered ?? {
			...market,
			side: 'BACK',
			// Every second one meets the layer's bet.
			price: placed.length % 2 === 0 ? 1000 : 1.01,
			stake: 10,
			persistence: 'PERSIST',
			clientRequestId: randomUUID(),
		};
		try {
			const { betId } = await ask<{ betId: string }>(server, '/Bet/PlaceBetV2', { token, body });
			unanswered = null;
			placed.push(betId);
			load.answered();
		} catch (failure) {
			if (failure instanceof RefusedCall && failure.code === 'INSUFFICIENT_FUNDS')
				return { token, placed, unanswered: null };
			unanswered = body;
			await delay(ASK_AGAIN_MS);
		}
	}
	return { token, placed, unanswered };
}

/** Players betting at once; says when N more bets are acknowledged. */
class Load {
	stopped = false;
	#answers = 0;
	#wanted = 0;
	#reached: (() => void) | null = null;

	answered(): void {
		if (++this.#answers >= this.#wanted) this.#reached?.();
	}
	async more(bets: number): Promise<void> {
		this.#wanted = this.#answers + bets;
		await new Promise<void>((resolve) => {
			this.#reached = resolve;
		});
	}
}

/** Acknowledged bets exist once; the others are sent again under their ids and then exist. */
async function settleAccounts({ token, placed, unanswered }: Stream, acknowledged: Set<string>): Promise<void> {
	for (const betId of placed) acknowledged.add(betId);
	if (unanswered) {
		const body = unanswered;
		acknowledged.add((await ask<{ betId: string }>(server, '/Bet/PlaceBetV2', { token, body })).betId);
	}
	const { openBets, balance, exposure } = await ask<{
		openBets: { betId: string; stake: number }[];
		balance: number;
		exposure: number;
	}>(server, '/Bet/GetUserOpenBets', { token });
	expect(new Set(openBets.map(({ betId }) => betId))).toEqual(acknowledged);
	expect(exposure).toBe(10 * openBets.length);
	expect(balance + exposure).toBe(20_000);
}

async function openMarket(): Promise<Market> {
	const { eventId } = await server.operator<{ eventId: string }>('event-add', matchByHand());
	const terms = { eventId, name: 'Winner', type: 'MATCH_ODDS', runners: ['Reds', 'Blues'] };
	const opened = await server.operator<{ marketId: string; runners: { id: string }[] }>('open-market', terms);
	return { marketId: opened.marketId, runnerId: opened.runners[0]?.id ?? '' };
}

it('loses no acknowledged bet and places no repeated one twice, through kills of server and database', async () => {
	server = await ServerProcess.create({ embedded: true });
	onTestFinished(() => server.dispose());
	await server.start(OPTIONS);
	const market = await openMarket();
	const layer = { ...market, side: 'LAY', price: 1.01, stake: MOST_MATCHED, persistence: 'PERSIST' } as const;
	await placeBet(server, await demoPlayer(server), { ...layer, clientRequestId: randomUUID() });
	const acknowledged = new Map<string, Set<string>>();
	for (let at = 0; at < PLAYERS; at++) acknowledged.set(await demoPlayer(server), new Set());
	for (let kill = 0; kill < KILLS; kill++) {
		const load = new Load();
		const streams = [...acknowledged.keys()].map((token) => bet(token, market, load));
		await load.more(BETS_UNTIL_KILL);
		if (kill % 2 === 0) {
			await server.kill();
		} else {
			await server.killDatabase();
			// The server waits for it and goes on by itself.
			await load.more(BETS_UNTIL_KILL);
		}
		load.stopped = true;
		const outcomes = await Promise.all(streams);
		if (kill % 2 === 0) await server.start(OPTIONS);
		for (const stream of outcomes) await settleAccounts(stream, acknowledged.get(stream.token) ?? new Set());
	}
	const [token = ''] = acknowledged.keys();
	const { openBets } = await ask<{ openBets: { matchedStake: number }[] }>(server, '/Bet/GetUserOpenBets', { token });
	expect(openBets.filter(({ matchedStake }) => matchedStake > 0).length).toBeGreaterThan(10);
	expect(await server.failedAuditChecks()).toEqual([]);
}, 240_000);
