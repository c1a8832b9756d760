/** Transfers: money other than bets, all moves of a command or none. */
import { describe, expect, it } from 'vitest';
import type { Transfer, TransferMove } from '#engine/command.ts';
import { TRANSFER_KINDS, type TransferAccount, type TransferKind } from '#engine/effect.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene } from './exchange-scene.ts';

const PLAYER = 1001;
let refs = 0;

const move = (debit: TransferAccount, credit: TransferAccount, amount: number, terms: Partial<TransferMove> = {}) => ({
	kind: 'ADJUSTMENT' as const,
	ref: ++refs,
	step: 0,
	debit,
	credit,
	amount,
	...terms,
});
const transfer = (moves: Transfer['moves'], terms: Partial<Transfer> = {}) =>
	({ kind: 'transfer', atMs: 0, walletId: PLAYER, pool: 'PLAY', moves, ...terms }) as const;

function sceneWith(funds: number, pool: 'PLAY' | 'REAL' = 'PLAY'): ExchangeScene {
	const scene = new ExchangeScene();
	scene.player(PLAYER, pool === 'REAL' ? 0 : funds, pool);
	if (pool === 'REAL') scene.apply(transfer([move('gateway', 'cash', funds)], { pool }));
	return scene;
}
const balances = (scene: ExchangeScene) => {
	const { cash, hold, bonus } = scene.engine.wallet(PLAYER) ?? { cash: -1, hold: -1, bonus: -1 };
	return [cash, hold, bonus];
};

describe('transfer', () => {
	it('moves money between the accounts of a wallet and the house, and posts each move under its key', () => {
		const scene = sceneWith(1_000, 'REAL');
		const moves = [
			move('cash', 'hold', 400, { ref: 7, step: 0 }),
			move('hold', 'payout', 300, { ref: 7, step: 1 }),
			move('bonus_cost', 'bonus', 50, { ref: 7, step: 2 }),
		];
		expect(scene.apply(transfer(moves, { pool: 'REAL' }))).toEqual({ ok: true });
		expect(balances(scene)).toEqual([600, 100, 50]);
		expect(scene.effects.postings.slice(-3)).toMatchObject([
			{ ref: 7, step: 0, debit: 'cash', debitOwner: PLAYER, credit: 'hold', walletId: PLAYER, cashAfter: 600 },
			{ ref: 7, step: 1, debit: 'hold', credit: 'payout', creditOwner: 0, walletId: PLAYER, cashAfter: 600 },
			{ ref: 7, step: 2, debit: 'bonus_cost', debitOwner: 0, credit: 'bonus', walletId: PLAYER, cashAfter: 600 },
		]);
		expect(scene.engine.houseBalance('payout', 'REAL', 0)).toBe(300);
		expect(scene.engine.houseBalance('gateway', 'REAL', 0)).toBe(-1_000);
		expect(scene.engine.houseBalance('bonus_cost', 'REAL', 0)).toBe(-50);
	});

	it('moves nothing of another player, whatever accounts and owners its moves name', () => {
		const other = 1002;
		const accounts: TransferAccount[] = ['cash', 'hold', 'bonus', 'mint', 'gateway', 'bank', 'payout', 'bonus_cost'];
		const named = { debitOwner: other, creditOwner: other, owner: other, walletId: other };
		let carriedOut = 0;
		for (const debit of accounts)
			for (const credit of accounts) {
				const scene = sceneWith(1_000);
				scene.player(other, 1_000);
				scene.apply(transfer([move('cash', 'hold', 300), move('bonus_cost', 'bonus', 100)]));
				const before = scene.engine.wallet(other);
				try {
					if (scene.apply(transfer([move(debit, credit, 50, named as never)])).ok) carriedOut++;
				} catch {
					// The house has no such money: a mistake of the caller.
				}
				expect([debit, credit, scene.engine.wallet(other)]).toEqual([debit, credit, before]);
			}
		expect(carriedOut).toBeGreaterThan(accounts.length);
	});

	it('refuses what the balances do not allow in any of its moves, and changes nothing', () => {
		const scene = sceneWith(1_000);
		const before = scene.engine.hash();
		for (const [moves, code] of [
			[[move('cash', 'hold', 1_001)], 'INSUFFICIENT_FUNDS'],
			[[move('cash', 'hold', 600), move('cash', 'hold', 600)], 'INSUFFICIENT_FUNDS'],
			[[move('cash', 'hold', 600), move('hold', 'bank', 601)], 'INSUFFICIENT_FUNDS'],
			[[move('bonus', 'cash', 1)], 'INSUFFICIENT_FUNDS'],
			[[move('hold', 'cash', 1, { mayOverdraw: true })], 'INSUFFICIENT_FUNDS'],
			[[move('gateway', 'cash', 0)], 'INVALID_AMOUNT'],
			[[move('gateway', 'cash', -5)], 'INVALID_AMOUNT'],
			[[move('gateway', 'cash', 0.5)], 'INVALID_AMOUNT'],
			[[move('gateway', 'cash', 2 ** 52)], 'INVALID_AMOUNT'],
		] as const)
			expect(scene.apply(transfer(moves))).toMatchObject({ ok: false, code });
		expect(scene.apply(transfer([move('gateway', 'cash', 5)], { walletId: 99 }))).toMatchObject({
			code: 'UNKNOWN_USER',
		});
		expect(scene.apply(transfer([move('gateway', 'cash', 5)], { pool: 'REAL' }))).toMatchObject({
			code: 'UNKNOWN_USER',
		});
		expect(scene.engine.hash()).toBe(before);
	});

	it('makes no real money from the mint', () => {
		const scene = sceneWith(1_000, 'REAL');
		for (const moves of [[move('mint', 'cash', 5)], [move('cash', 'mint', 5)]])
			expect(scene.apply(transfer(moves, { pool: 'REAL' }))).toMatchObject({ code: 'FORBIDDEN' });
	});

	it('leaves cash below zero only by a correction, which later money makes good', () => {
		const scene = sceneWith(1_000, 'REAL');
		const reversal = [move('cash', 'bank', 1_500, { mayOverdraw: true })];
		expect(scene.apply(transfer(reversal, { pool: 'REAL' }))).toEqual({ ok: true });
		expect(balances(scene)).toEqual([-500, 0, 0]);
		expect(scene.apply(transfer([move('cash', 'hold', 1)], { pool: 'REAL' }))).toMatchObject({ ok: false });
		expect(scene.apply(transfer([move('gateway', 'cash', 600)], { pool: 'REAL' }))).toEqual({ ok: true });
		expect(balances(scene)).toEqual([100, 0, 0]);
	});

	it('throws before it changes anything when an account of the house would go below zero that never does', () => {
		const scene = sceneWith(1_000);
		const before = scene.engine.hash();
		const moves = [move('cash', 'hold', 100), move('payout', 'bank', 100)];
		expect(() => scene.apply(transfer(moves))).toThrow('payout');
		expect(() => scene.apply(transfer([move('cash', 'bank', 1)], { walletId: 0 }))).toThrow('cash');
		expect(scene.engine.hash()).toBe(before);
	});

	it('takes nothing from a market maker, whose quotes are covered by what it has', () => {
		const scene = sceneWith(1_000);
		scene.apply({ kind: 'open-wallet', atMs: 0, walletId: PLAYER, pool: 'PLAY', quotes: true });
		expect(scene.apply(transfer([move('cash', 'hold', 1)]))).toMatchObject({ code: 'FORBIDDEN' });
	});

	/** The player's bets lack the 1,000 in cash, because a removed runner made a hedge void. */
	function sceneOfShortBets(): ExchangeScene {
		const scene = sceneWith(1_000);
		for (const marketId of [1, 2]) scene.openMarket({ marketId });
		scene.player(1002, 10_000);
		scene.back(1002, 0, 2.0, 1_000);
		scene.back(1002, 2, 2.0, 1_000);
		// Together they lose nothing, by whichever runner.
		scene.lay(PLAYER, 0, 2.0, 1_000);
		scene.lay(PLAYER, 2, 2.0, 1_000);
		scene.back(PLAYER, 0, 2.0, 1_000, { marketId: 2 });
		scene.apply({ kind: 'remove-runner', atMs: 0, marketId: 1, runner: 2, reductionBp: 0 });
		scene.cancel(scene.lastBet, PLAYER);
		expect(balances(scene)).toEqual([1_000, 0, 0]);
		return scene;
	}

	it('spends nothing that bets lack, by whatever it is, and takes what is owed', () => {
		const isDone = (kind: TransferKind, terms: Partial<TransferMove>) =>
			sceneOfShortBets().apply(transfer([move('cash', 'hold', 1, { kind, ...terms })])).ok;
		const done = TRANSFER_KINDS.filter((kind) => isDone(kind, {}));
		expect(done).toEqual(['DISPUTE']);
		expect(TRANSFER_KINDS.filter((kind) => !isDone(kind, { mayOverdraw: true }))).toEqual([]);
	});

	it('spends what bets lacked when they are settled', () => {
		const scene = sceneOfShortBets();
		const code = 'INSUFFICIENT_FUNDS';
		for (const kind of ['WITHDRAWAL', 'CASINO'] as const)
			expect(scene.apply(transfer([move('cash', 'hold', 1, { kind })]))).toMatchObject({ code });
		scene.settle(1);
		expect(balances(scene)).toEqual([2_000, 0, 0]);
		expect(scene.apply(transfer([move('cash', 'hold', 2_000, { kind: 'WITHDRAWAL' })]))).toEqual({ ok: true });
	});

	it('random transfers between bets keep every pool at zero, and balances follow the moves', () => {
		const accounts: TransferAccount[] = ['cash', 'hold', 'bonus', 'gateway', 'bank', 'mint', 'casino', 'bonus_cost'];
		for (let seed = 1; seed <= 30; seed++) {
			const numbers = new SeededNumbers(seed);
			const scene = sceneWith(50_000);
			scene.openMarket();
			const held = new Map<string, number>([['cash', 50_000]]);
			let reserved = 0;
			for (let at = 0; at < 60; at++) {
				if (numbers.chance(30)) {
					scene.back(PLAYER, numbers.below(3), 2, 1 + numbers.below(4_000));
					const wallet = scene.engine.wallet(PLAYER);
					held.set('cash', (held.get('cash') ?? 0) + reserved - (wallet?.exposure ?? 0));
					reserved = wallet?.exposure ?? 0;
					continue;
				}
				const moves = Array.from({ length: 1 + numbers.below(3) }, () =>
					move(numbers.from(accounts), numbers.from(accounts), 1 + numbers.below(20_000)),
				);
				const after = new Map(held);
				let isCovered = true;
				for (const { debit, credit, amount } of moves) {
					after.set(debit, (after.get(debit) ?? 0) - amount);
					// Each move has to be covered before the next one brings anything.
					if (['cash', 'hold', 'bonus'].includes(debit) && (after.get(debit) ?? 0) < 0 && debit !== credit)
						isCovered = false;
					after.set(credit, (after.get(credit) ?? 0) + amount);
				}
				if (moves.some(({ debit, credit }) => debit === credit)) continue;
				expect(scene.apply(transfer(moves)).ok).toBe(isCovered);
				if (isCovered) for (const [account, amount] of after) held.set(account, amount);
				expect(balances(scene)).toEqual(['cash', 'hold', 'bonus'].map((account) => held.get(account) ?? 0));
			}
		}
	});
});
