/**
 * The kernel places the commonest bets by itself, and whatever it leaves goes the general way. Both ways are one set of
 * rules: the same commands have the same outcomes and tell the same, in the same order. Limits of a player's own that
 * nobody can reach are what makes a bet go the general way here.
 */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Effects } from '#engine/effect.ts';
import { Kernel } from '#engine/kernel.ts';
import { LADDER } from '#values/price-ladder.ts';
import { builtKernel } from '../../tools/build-kernel.ts';

const PLAYERS = [1, 2, 3, 4];
const OUT_OF_REACH = { maxStake: 10 ** 12, maxProfit: 10 ** 12, maxExposure: 10 ** 15 };

type Cancel = Extract<Command, { kind: 'cancel-bet' }>;
type Told = [name: string, ...details: unknown[]];

/** Keeps everything that is told, but what differs between the two engines: the limits. */
function recorder(told: Told[]): Effects {
	const listen =
		(name: string) =>
		(...details: unknown[]) =>
			void told.push([name, ...structuredClone(details)]);
	const ignored = new Set<string>(['limitsSet']);
	return new Proxy({} as Effects, {
		get: (_, name) => (ignored.has(String(name)) ? () => {} : listen(String(name))),
	});
}

/**
 * Who takes back a bet without saying who he is goes the general way, and so does who asks for more than any bet may be:
 * for the bet of somebody else it makes no difference.
 */
const inGeneral = ({ walletId, ...rest }: Cancel, owners: ReadonlyMap<number, number>): Command =>
	walletId === undefined || walletId === owners.get(rest.betId) ? rest : { ...rest, walletId, size: 2 ** 33 };

/** What the commands come to: outcomes, everything told, and how the books and wallets end. */
function play(commands: readonly Command[], generalWay: boolean) {
	const engine = createEngine();
	const told: Told[] = [];
	const effects = recorder(told);
	for (const walletId of PLAYERS) {
		const pool = walletId === 4 ? 'DEMO' : 'PLAY';
		engine.apply({ kind: 'open-wallet', atMs: 0, walletId, pool, currency: 'INR' }, effects);
		engine.apply({ kind: 'grant-coins', atMs: 0, grantId: walletId, walletId, amount: 300_000 * walletId }, effects);
		if (generalWay) engine.apply({ kind: 'set-limits', atMs: 0, walletId, limits: OUT_OF_REACH }, effects);
	}
	const owners = new Map(commands.flatMap((bet) => (bet.kind === 'place-bet' ? [[bet.betId, bet.walletId]] : [])));
	const outcomes = commands.map((command) => {
		const asked = command.kind === 'cancel-bet' && generalWay ? inGeneral(command, owners) : command;
		const outcome = engine.apply(asked, effects);
		engine.checkInvariants();
		return outcome;
	});
	const books = [0, 1, 2].map((runner) => engine.restingBets(1, 'PLAY', runner));
	const wallets = PLAYERS.map((walletId) => ({ ...engine.wallet(walletId), limits: null }));
	return { outcomes, told, books, wallets };
}

const market = fc
	.record({
		minStake: fc.constantFrom(1, 100),
		maxStake: fc.constantFrom(5000, 1_000_000_000),
		maxProfit: fc.constantFrom(0, 0, 30_000),
		maxExposure: fc.constantFrom(0, 0, 25_000),
		profitRatioRule: fc.boolean(),
		selfMatch: fc.constantFrom('REFUSE' as const, 'ALLOW' as const),
		reducible: fc.boolean(),
		betDelayMs: fc.constantFrom(0, 5000),
	})
	.map(
		(terms): Command => ({
			kind: 'open-market',
			atMs: 0,
			marketId: 1,
			pools: ['PLAY', 'DEMO'],
			currency: 'INR',
			runners: 3,
			numberOfWinners: 1,
			commissionBp: 200,
			suspended: false,
			...terms,
		}),
	);

/** Around a few rungs, so that bets meet; now and then something that no market takes. */
const place = fc.record({
	walletId: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...PLAYERS) }, { weight: 1, arbitrary: fc.constant(9) }),
	runner: fc.oneof({ weight: 20, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.constantFrom(-1, 3, 0.5) }),
	side: fc.constantFrom(0 as const, 1 as const),
	price: fc.oneof(
		{ weight: 20, arbitrary: fc.integer({ min: 60, max: 66 }).map((rung) => LADDER[rung] as number) },
		{ weight: 1, arbitrary: fc.constantFrom(100, 1015, 100_000, 150.5) },
	),
	stake: fc.oneof(
		{ weight: 20, arbitrary: fc.integer({ min: 1, max: 9000 }) },
		{ weight: 1, arbitrary: fc.constantFrom(0, -5, 10.5, Number.NaN, 2 ** 31, 2 ** 40) },
	),
	persist: fc.boolean(),
});

/** One of the latest bets, mostly by its owner, mostly all of it. */
const cancel = fc.record({
	back: fc.nat(30),
	byOwner: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
	size: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(undefined) },
		{ weight: 2, arbitrary: fc.integer({ min: 1, max: 4000 }) },
		{ weight: 1, arbitrary: fc.constantFrom(0, -1, 0.5, 2 ** 33) },
	),
});

const act = fc.oneof(
	{ weight: 60, arbitrary: place.map((bet) => ({ kind: 'place-bet' as const, ...bet })) },
	{ weight: 25, arbitrary: cancel.map((bet) => ({ kind: 'cancel-bet' as const, ...bet })) },
	{
		weight: 5,
		arbitrary: fc.constantFrom(
			{ kind: 'suspend-market' as const, lapseUnmatched: false },
			{ kind: 'resume-market' as const },
			{ kind: 'resume-market' as const },
			{ kind: 'resume-market' as const },
			{ kind: 'turn-in-play' as const },
			{ kind: 'suspend-runner' as const, runner: 1 },
			{ kind: 'resume-runner' as const, runner: 1 },
			{ kind: 'remove-runner' as const, runner: 2, reductionBp: 1500 },
			{ kind: 'return-runner' as const, runner: 2 },
		),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: 'settle-market' as const, results: ['WIN', 'LOSE', 'LOSE'] }) },
);

const stream = fc.tuple(market, fc.array(act, { minLength: 60, maxLength: 80 })).map(([opened, acts]) => {
	const owners: number[] = [];
	const commands = acts.map((wanted, at) => {
		const common = { atMs: at * 1000, marketId: 1 };
		if (wanted.kind === 'place-bet') return { ...common, ...wanted, betId: owners.push(wanted.walletId) };
		if (wanted.kind === 'cancel-bet') {
			const betId = Math.max(1, owners.length - wanted.back);
			const walletId = wanted.byOwner ? owners[betId - 1] : 2;
			return {
				...common,
				kind: wanted.kind,
				betId,
				walletId,
				...(wanted.size === undefined ? {} : { size: wanted.size }),
			};
		}
		return { ...common, ...wanted };
	});
	return [opened, ...(commands as unknown as Command[])];
});

describe('the kernel', () => {
	it('is what its source compiles to', async () => {
		for (const [file, text] of await builtKernel()) {
			expect(await readFile(file, 'utf8'), 'npm run build:kernel').toBe(text);
		}
	});

	it('places bets and takes them back as the general way does (1,000 random streams)', () => {
		fc.assert(
			fc.property(stream, (commands) => {
				expect(play(commands, false)).toEqual(play(commands, true));
			}),
			{ numRuns: 1000 },
		);
	});

	it('stops and names the rule when an assertion fails', () => {
		const { call } = new Kernel(false);
		const market = call.addMarket(1, 0, 0, 2, 2, 1, 1000, 0, 0);
		const book = call.addBooks(market, 2, 350);
		const bet = call.addBet(market, 1, 0, 0, 0, 200, 99, 10, 0);
		call.rest(book, bet);
		expect(() => call.reduce(book, bet, 11)).toThrow('a resting bet is reduced by its remaining stake at most');
		expect(call.sizeFor(book, 1, 99)).toBe(10);
	});

	it('keeps what it holds when its memory grows in the middle of a bet', () => {
		const kernel = new Kernel(false);
		const market = kernel.call.addMarket(1, 0, 0, 2, 2, 1, 1000, 0, 0);
		const book = kernel.call.addBooks(market, 2, 350);
		const room = kernel.words.length;
		const bets: number[] = [];
		while (kernel.words.length === room) {
			const bet = kernel.call.addBet(market, bets.length + 1, 0, 0, 0, 200, 99, 10, 0);
			kernel.call.rest(book, bet);
			bets.push(bet);
		}
		expect(kernel.call.sizeFor(book, 1, 99)).toBe(bets.length * 10);
		const taker = kernel.call.addBet(market, bets.length + 1, 0, 0, 1, 200, 99, bets.length * 10, 0);
		expect(kernel.call.takeFrom(book, 1, taker, bets.length * 10, 99)).toBe(bets.length);
		expect(kernel.call.bestFor(book, 1)).toBe(-1);
	});

	it('takes what a market had for the next one when it is over', () => {
		const kernel = new Kernel(false);
		const playMarket = (index: number) => {
			const market = kernel.call.addMarket(index + 1, index, 0, 2, 2, 1, 1000, 0, 0);
			const book = kernel.call.addBooks(market, 2, 350);
			for (let id = 1; id < 2000; id++) kernel.call.rest(book, kernel.call.addBet(market, id, 0, 0, 0, 200, 99, 10, 0));
			kernel.call.endMarket(market);
		};
		playMarket(0);
		playMarket(1);
		const room = kernel.words.length;
		for (let index = 2; index < 400; index++) playMarket(index);
		expect(kernel.words.length).toBe(room);
	});
});
