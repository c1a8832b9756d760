/**
 * `npm run bench -- bots-overhead`: what the bots' interface itself costs an instruction of placeOrders: reading the body,
 * checking it, ordering each bet and writing the report, with an exchange that accepts at once. Processor time, so other
 * work on the machine does not count. `ratio` compares it with reading and writing the same JSON alone, in the same run.
 * Prints one JSON line.
 */
import { pino } from 'pino';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import { selectionOfName } from '#server/doors/bots-api/fields.ts';
import { IN_FLIGHT } from '#server/doors/bots-api/order-reports.ts';
import { answerJsonRpc, type RpcOptions, SERVICES } from '#server/doors/bots-api/rpc-routes.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { print, round } from './support/figures.ts';

const WARM_UP_CALLS = 2_000;
const CALLS = 4_000;
const MUST = { microseconds: 15 };

const listing = {
	id: 1001,
	fixtureId: 1,
	type: 'MATCH_ODDS',
	commissionBp: 200,
	runners: [
		{ id: 'IND', name: 'India' },
		{ id: 'NEP', name: 'Nepal' },
	],
} as const;
const fixture = { id: 1, sportId: 3, status: 'UPCOMING' };
let lastBetId = 0;
/** Only the dependencies of placeOrders. */
const options = {
	log: pino({ level: 'silent' }),
	callers: { count: () => undefined },
	parts: {
		inFlight: new Turns(IN_FLIGHT),
		fixtures: { market: () => listing, fixture: () => fixture },
		betAdmission: { take: () => () => undefined },
		players: { freshExclusion: () => null },
		funds: { protection: { limits: { readLosses: () => null } } },
		exchange: {
			fresh: () => Promise.resolve(),
			now: () => 1,
			market: () => ({ ladder: 'CLASSIC', status: 'OPEN' }),
			submit: (bet: { stake: number }, _key: unknown, terms: { admit?: (open: number, wallets: unknown) => void }) => {
				terms.admit?.(0, null);
				lastBetId += 1;
				const { stake } = bet;
				return Promise.resolve({ betId: lastBetId, atMs: 1, matched: 0, matchedValue: 0, remaining: stake, stake });
			},
		},
	},
} as unknown as RpcOptions;
const caller = {
	login: { playerId: 1000, pool: 'PLAY' },
	key: { mayTrade: true },
	visitor: { brand: { setting: { cricket: true } } },
	closedSports: new Set(),
	untilMs: Number.POSITIVE_INFINITY,
} as unknown as BotCaller;

function bodyOf(instructions: number): Buffer {
	const instruction = {
		orderType: 'LIMIT',
		selectionId: selectionOfName(listing.runners[0].name),
		handicap: 0,
		side: 'BACK',
		limitOrder: { size: 10, price: 2, persistenceType: 'LAPSE' },
	};
	const params = { marketId: '1.1001', instructions: Array.from({ length: instructions }, () => instruction) };
	return Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'SportsAPING/v1.0/placeOrders', params, id: 1 }));
}

/** Processor time in microseconds. */
async function timed(work: () => Promise<unknown>, calls: number): Promise<number> {
	const before = process.cpuUsage();
	for (let call = 0; call < calls; call++) await work();
	const { user, system } = process.cpuUsage(before);
	return user + system;
}

async function overhead(instructions: number): Promise<{ microseconds: number; ratio: number }> {
	const [betting] = SERVICES;
	if (!betting) throw new Error('There is no service.');
	const body = bodyOf(instructions);
	const answer = async () => JSON.stringify(await answerJsonRpc(options, betting, { body }, () => caller));
	const text = await answer();
	if (!text.includes('"status":"SUCCESS"') || text.includes('FAILURE')) throw new Error(text.slice(0, 300));
	const bare = async () => JSON.stringify([JSON.parse(body.toString('utf8')), JSON.parse(text)]);
	await timed(answer, WARM_UP_CALLS);
	await timed(bare, WARM_UP_CALLS);
	const own = await timed(answer, CALLS);
	const limit = await timed(bare, CALLS);
	return { microseconds: round(own / CALLS / instructions, 2), ratio: round(own / limit, 2) };
}

print({ single: await overhead(1), twenty: await overhead(20), must: MUST });
