/**
 * kill -9 of the real server while prices reach triggers: each acknowledged trigger exists once, its bet is placed once, and
 * none waits for a price that was matched after it was placed. `npm run order-kills` is the
 * long form.
 *
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { type Draw, pick, randomFrom } from '#sports/random.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { EVENT_ID, listMatch } from '../faults/support/listed-match.ts';
import { demoPlayer, type Market, placeBet, RefusedCall } from '../faults/support/player-client.ts';
import { Asking } from './asking.ts';

const KILLS = Number(process.env['ORDER_KILLS'] ?? 3);
const OPTIONS = ['--no-feeds', '--rate-limit-factor', '1000', '--log-level', 'error'];
const PRICES = [2, 2.1, 2.2, 2.3, 2.4];
/** Of one kill; one player has at most 100 triggers. */
const OWNERS = 3;
const MOST_TRIGGERS = 80;
/** Bets of triggers until the kill. */
const PLACED_UNTIL_KILL = 30;

const PATIENCE_MS = KILLS * 80_000;

let server: ServerProcess;

const one = (draw: Draw): number => pick(PRICES, draw);
const count = async (sql: string): Promise<number> =>
	Number((await server.database.db.query<{ count: string }>(`select count(*) from ${sql}`)).rows[0]?.count);

class Placing {
	readonly acknowledged: string[] = [];
	readonly asking: Asking;

	constructor(token: string) {
		this.asking = new Asking(server, token);
	}

	/** A back that is never matched, when the price falls or rises. @returns false when no answer came */
	async next(market: Market, draw: Draw): Promise<boolean> {
		const moves = draw() < 0.5 ? 'FALLS' : 'RISES';
		const condition = draw() < 0.3 ? { trail: 1 + Math.floor(draw() * 3) } : { at: one(draw) };
		const bet = { ...market, side: 'BACK', price: 1000, stake: 10, moves, ...condition };
		return await this.asking.send<{ triggerId: string }>('/Trigger/Place', bet, ({ triggerId }) =>
			this.acknowledged.push(triggerId),
		);
	}
}

/** Places triggers until no answer comes any more. */
async function placeAll(placing: Placing, market: Market, draw: Draw): Promise<void> {
	for (let placed = 0; placed < MOST_TRIGGERS; placed++) if (!(await placing.next(market, draw))) return;
}

/** Two players match bets at one price after the other until no answer comes any more. */
async function trade(market: Market, draw: Draw): Promise<void> {
	const [layer, backer] = [await demoPlayer(server), await demoPlayer(server)];
	for (let trades = 0; trades < 1_000; trades++) {
		const bet = { ...market, price: one(draw), stake: 10, persistence: 'LAPSE' } as const;
		try {
			await placeBet(server, layer, { ...bet, side: 'LAY', clientRequestId: randomUUID() });
			await placeBet(server, backer, { ...bet, side: 'BACK', clientRequestId: randomUUID() });
		} catch (failure) {
			if (failure instanceof RefusedCall) throw failure;
			return;
		}
	}
}

const PLACED = `bet_trigger where status = 'PLACED'`;
const OVERDUE = `bet_trigger where status = 'WAITING' and exists (
	select 1 from bet_match where bet_match.market_id = bet_trigger.market_id and bet_match.at > bet_trigger.placed_at
		and case moves when 'FALLS' then bet_match.price <= at_price else bet_match.price >= at_price end
		and trail is null)`;

it(
	'loses no trigger and places the bet of none twice, through kills amid the prices that reach them',
	async () => {
		server = await ServerProcess.create();
		onTestFinished(() => server.dispose());
		await listMatch(server.database.db);
		await server.start(OPTIONS);
		const terms = { eventId: String(EVENT_ID), name: 'Winner', type: 'MATCH_ODDS', runners: ['Reds', 'Blues'] };
		const opened = await server.operator<{ marketId: string; runners: { id: string }[] }>('open-market', terms);
		const market = { marketId: opened.marketId, runnerId: opened.runners[0]?.id ?? '' };
		const acknowledged: string[] = [];
		for (let kill = 0; kill < KILLS; kill++) {
			const draw = randomFrom(kill + 1);
			const before = await count(PLACED);
			const tokens = await Promise.all(Array.from({ length: OWNERS }, () => demoPlayer(server)));
			const placings = tokens.map((token) => new Placing(token));
			const streams = [...placings.map((placing) => placeAll(placing, market, draw)), trade(market, draw)];
			await expect
				.poll(() => count(PLACED), { timeout: 60_000, interval: 5 })
				.toBeGreaterThan(before + PLACED_UNTIL_KILL);
			await server.kill();
			await Promise.all(streams);
			await server.start(OPTIONS);
			for (const placing of placings) {
				expect(await placing.asking.again()).toBe(true);
				acknowledged.push(...placing.acknowledged);
			}
			// Those that were due are placed as the server is back.
			await expect.poll(() => count(`bet_trigger where status = 'DUE'`)).toBe(0);
			expect(await count(OVERDUE)).toBe(0);
			expect(await count(`bet_trigger where trigger_id = any('{${acknowledged.join()}}')`)).toBe(acknowledged.length);
			expect(await count(`bet_trigger`)).toBe(acknowledged.length);
			expect(await count(`bet_trigger where (status = 'PLACED') <> (bet_id is not null)`)).toBe(0);
			expect(await count(`bet where price = 100000`)).toBe(await count(PLACED));
		}
		expect(new Set(acknowledged).size).toBe(acknowledged.length);
		expect(await server.failedAuditChecks()).toEqual([]);
	},
	PATIENCE_MS,
);
