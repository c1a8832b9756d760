/**
 * Thousands of unmatched bets of one player are cancelled or lapse some at a time, with other players' bets in between, and
 * a walk that was cut short is finished by the same request.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange, Receipt, Request, RequestKey } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { BETS_A_STEP } from '#server/exchange/order/cancel-walks.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const [BOT, OTHER] = [1001, 1002];
const STAKE = 1_000;
const MARKETS = [1, 2];
const BETS = 2 * BETS_A_STEP + 200;

let database: FreshDatabase;
let gated: GatedDatabase;
let exchange: Exchange;
/** The batches so far: how many bets each cancelled or lapsed of the bot, and placed of the other. */
let batches: { cancelled: number; placed: number }[];
/** Told of each batch. */
let onBatch: (at: number) => void;

const open = (db: GatedDatabase): Promise<Exchange> =>
	openExchange({
		ledgerKey: LEDGER_KEY,
		db: db.asDatabase(),
		log: pino({ level: 'silent' }),
		commandRows: true,
		onCommitted: ({ betEvents, bets }: Committed) => {
			const owners = new Map(bets.map(({ betId, walletId }) => [betId, walletId]));
			const count = (walletId: number, events: readonly string[]) =>
				betEvents.filter(({ betId, event }) => owners.get(betId) === walletId && events.includes(event)).length;
			batches.push({ cancelled: count(BOT, ['CANCELLED', 'LAPSED']), placed: count(OTHER, ['PLACED']) });
			onBatch(batches.length);
		},
	});

const bet = (walletId: number, marketId: number, price: number): Request => ({
	kind: 'place-bet',
	walletId,
	marketId,
	runner: 0,
	side: 0,
	price,
	stake: STAKE,
	persist: false,
});

beforeEach(async () => {
	database = await freshDatabase();
	gated = new GatedDatabase(database.db);
	batches = [];
	onBatch = () => {};
	exchange = await open(gated);
	for (const walletId of [BOT, OTHER]) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 100_000_000 });
	}
	for (const marketId of MARKETS) await exchange.submit(plainMarket(marketId));
	await Promise.all(Array.from({ length: BETS }, (_, at) => exchange.submit(bet(BOT, 1 + (at % 2), 300))));
	batches = [];
});
afterEach(async () => {
	await exchange.drain();
	await database.drop();
});

const unmatched = (): number => exchange.openBets(BOT).filter(({ remaining }) => remaining > 0).length;

/** Places bets of the other, one after the other is durable, until the walk has ended. */
async function beside(walk: Promise<Receipt>): Promise<void> {
	const end = { isReached: false };
	const ended = walk.finally(() => {
		end.isReached = true;
	});
	while (!end.isReached) await exchange.submit(bet(OTHER, 1, 400));
	await ended;
}

const key: RequestKey = { walletId: BOT, clientRequestId: 'cancel-everything', body: '{}' };

/** Both are one walk, which `npm test` takes apart by the player's own act. */
const mainly = (kind: 'cancel-all' | 'lapse-all') => (kind === 'cancel-all' ? {} : ({ tags: 'thorough' } as const));

describe.each(['cancel-all', 'lapse-all'] as const)('%s', (kind) => {
	it('takes a bounded number of bets with each batch, and serves others in between', mainly(kind), async () => {
		const walk = exchange.submit({ kind, walletId: BOT });
		await beside(walk);
		const steps = batches.filter(({ cancelled }) => cancelled > 0);
		expect(steps.map(({ cancelled }) => cancelled)).toEqual([BETS_A_STEP, BETS_A_STEP, BETS - 2 * BETS_A_STEP]);
		const first = batches.findIndex(({ cancelled }) => cancelled > 0);
		const last = batches.findLastIndex(({ cancelled }) => cancelled > 0);
		const between = batches.slice(first, last).reduce((sum, { placed }) => sum + placed, 0);
		expect(between).toBeGreaterThan(0);
		expect((await walk).cancelled).toBe(BETS * STAKE);
		expect([unmatched(), exchange.wallet(BOT)?.exposure]).toEqual([0, 0]);
		await exchange.drain();
		await expectSound(database.db);
	});

	it('leaves a bet that is placed while it goes on', mainly(kind), async () => {
		let late: Promise<Receipt> | null = null;
		onBatch = () => {
			late ??= exchange.submit(bet(BOT, 2, 350));
		};
		const { cancelled } = await exchange.submit({ kind, walletId: BOT });
		const placed = await (late as Promise<Receipt> | null);
		expect(cancelled).toBe(BETS * STAKE);
		expect(exchange.openBets(BOT).map(({ betId, remaining }) => [betId, remaining])).toEqual([[placed?.betId, STAKE]]);
	});

	it('is finished by the same request after the exchange was lost between two steps', async () => {
		const walk = codeOf(exchange.submit({ kind, walletId: BOT }, key));
		await new Promise<void>((resolve) => {
			onBatch = () => batches.some(({ cancelled }) => cancelled > 0) && resolve();
		});
		// The first step is durable; another process takes the lease before the next one is written.
		const gate = gated.stop('into_batch_command');
		await gate.reached;
		const lost = exchange;
		exchange = await open(new GatedDatabase(database.db));
		gate.open();
		expect(await walk).toBe('OUTCOME_UNKNOWN');
		await lost.drain();
		const left = unmatched();
		expect(left).toBeGreaterThan(0);
		expect(left).toBeLessThan(BETS);
		const { cancelled } = await exchange.submit({ kind, walletId: BOT }, key);
		expect(cancelled).toBe(left * STAKE);
		expect([unmatched(), exchange.wallet(BOT)?.exposure]).toEqual([0, 0]);
		// From here on the answer is known.
		expect(await exchange.submit({ kind, walletId: BOT }, key)).toMatchObject({ cancelled });
		await exchange.drain();
		await expectSound(database.db);
	});
});

it('the same request twice at once is one walk with one answer', { tags: 'thorough' }, async () => {
	const answers = await Promise.all([1, 2].map(() => exchange.submit({ kind: 'cancel-all', walletId: BOT }, key)));
	expect(answers.map(({ cancelled }) => cancelled)).toEqual([BETS * STAKE, BETS * STAKE]);
});

it('in one market leaves the others', async () => {
	await exchange.submit({ kind: 'cancel-all', walletId: BOT, marketId: 1 });
	expect([unmatched(), exchange.profitLoss(BOT, 1)]).toEqual([BETS / 2, null]);
});
