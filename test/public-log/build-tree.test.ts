/** What the order and the parts of a tree's leaves tell: nothing of a wallet. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { NODE_BYTES, rootOver, sumsOf } from '#public-log/sum-tree.ts';
import { buildTree, entryAt, SHARES } from '#server/money/liabilities/build-tree.ts';
import type { WalletThen } from '#server/money/liabilities/day-end.ts';

const COUNT = 700;
const CASH = 10 ** 9;

const wallets = Array.from(
	{ length: COUNT },
	(_, at): WalletThen => ({ walletId: 1000 + 3 * at, brand: 'b', name: `n${at}`, cash: CASH, held: 7, bonus: 0 }),
);

const built = (some: readonly WalletThen[] = wallets) =>
	buildTree({ pool: 'PLAY', day: '2026-11-25', secret: randomBytes(32) }, some.length + 5, [some] as never);

it('a wallet is split into random parts in random places, another time into others', async () => {
	const [one, other] = [await built(), await built()];
	const [leaves = Buffer.alloc(0)] = one.levels;
	expect(Buffer.from(rootOver(leaves)).subarray(0, 32)).toEqual(one.root);
	expect(one).toMatchObject({ size: COUNT * SHARES, cash: COUNT * CASH, held: COUNT * 7, bonus: 0, shortfall: 0 });
	const places = wallets.flatMap((_, rank) => entryAt(one.places, rank).places);
	expect([...places].sort((a, b) => a - b)).toEqual(places.map((_, at) => at));
	const parts = places.map((place) => sumsOf(leaves.subarray(place * NODE_BYTES, (place + 1) * NODE_BYTES)));
	for (const [rank, { walletId }] of wallets.entries()) {
		const own = parts.slice(rank * SHARES, (rank + 1) * SHARES);
		expect(entryAt(one.places, rank).walletId).toBe(walletId);
		expect(own.reduce((sum, { cash }) => sum + cash, 0)).toBe(CASH);
		expect(own.every(({ cash }) => cash < CASH)).toBe(true);
	}
	// The first parts are a quarter on average, and no more alike than chance has it.
	const firsts = parts.filter((_, at) => at % SHARES === 0).map(({ cash }) => cash);
	const mean = firsts.reduce((sum, cash) => sum + cash, 0) / COUNT;
	expect(Math.abs(mean / CASH - 1 / SHARES)).toBeLessThan(0.05);
	expect(new Set(firsts).size).toBeGreaterThan(COUNT - 3);
	const stayed = places.filter((place, at) => place === at).length;
	expect(stayed).toBeLessThan(20);
	expect(places).not.toEqual(wallets.flatMap((_, rank) => entryAt(other.places, rank).places));
	expect(one.root).not.toEqual(other.root);
});

it('a debt lowers no sum, and money that cannot be is refused', async () => {
	const [first, ...others] = wallets as [WalletThen, ...WalletThen[]];
	const owing = await built([{ ...first, cash: -500 }, ...others]);
	expect(owing).toMatchObject({ cash: (COUNT - 1) * CASH, shortfall: 500 });
	await expect(built([{ ...first, held: -1 }])).rejects.toThrow('Wallet 1000 held -1');
	await expect(built([])).rejects.toThrow('needs a wallet');
});
