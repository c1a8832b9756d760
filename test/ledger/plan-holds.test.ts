/** What plans hold beside their bets in markets of each kind: the audit comes to the same by rules of its own. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OpenMarket } from '#engine/command.ts';
import type { Plan } from '#engine/triggers/plan.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { SideCode } from '#values/sides.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { plainMarket } from './plain-market.ts';

const [MAKER, PLANNER] = [1001, 1002];
const KINDS: Readonly<Record<string, Partial<OpenMarket>>> = {
	'one winner': {},
	'two winners': { runners: 3, numberOfWinners: 2 },
	'each way': { runners: 3, numberOfWinners: 2, eachWayDivisor: 4 },
};
const PLANS: readonly Plan[] = [
	{ kind: 'PEG', follows: 'OWN', ticks: 1 },
	{ kind: 'PEG', follows: 'OPPOSITE', ticks: 1 },
	{ kind: 'BRACKET', profitTicks: 2, stopTicks: 2 },
];
const SIDES: readonly SideCode[] = [0, 1];
/** Best back and lay that pegs follow. */
const [BACKS, LAYS] = [250, 200];

let database: FreshDatabase;
let exchange: Exchange;
beforeAll(async () => {
	database = await freshDatabase();
	const log = pino({ level: 'silent' });
	exchange = await openExchange({ db: database.db, log, ledgerKey: LEDGER_KEY, onCommitted: () => {} });
	for (const walletId of [MAKER, PLANNER]) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 10_000_000 });
	}
});
afterAll(async () => {
	await exchange.drain();
	await database.drop();
});

let markets = 0;

/** Resolves when the first bet of a plan stands in a market of its own. */
async function withPlan(terms: Partial<OpenMarket>, plan: Plan, side: SideCode): Promise<void> {
	const marketId = ++markets;
	await exchange.submit(plainMarket(marketId, terms));
	const bet = { marketId, runner: 0, stake: 5_000, persist: true };
	await exchange.submit({ kind: 'place-bet', ...bet, walletId: MAKER, side: 0, price: BACKS });
	await exchange.submit({ kind: 'place-bet', ...bet, walletId: MAKER, side: 1, price: LAYS });
	// The limit of a peg is another price than that of its bet.
	const price = plan.kind === 'PEG' ? (side === 0 ? LAYS : BACKS) : side === 0 ? 350 : 150;
	const order = { ...bet, walletId: PLANNER, side, price, stake: 202, plan };
	const watched = { watches: 'NONE', moves: 'FALLS', at: null, trail: null, marketVersion: null } as const;
	const { betId: planned } = await exchange.submit({ kind: 'place-trigger', ...order, ...watched });
	const stands = () => exchange.triggers(PLANNER).some(({ triggerId, betId }) => triggerId === planned && betId);
	await expect.poll(stands).toBe(true);
}

it.each(Object.entries(KINDS))('are those of the audit with %s', async (_name, terms) => {
	// What closes a bracket's bet is another stake, which an each-way market does not take.
	for (const plan of PLANS.filter(({ kind }) => kind === 'PEG' || terms.eachWayDivisor === undefined))
		for (const side of SIDES) {
			await withPlan(terms, plan, side);
			await expectSound(database.db);
		}
});
