/**
 * The kernel decides every bet, and stops when a rule of its own is broken. That it decides as the slow reference exchange
 * does is shown in test/reference.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Kernel } from '#engine/kernel.ts';
import { KERNEL_DIGEST } from '#engine/kernel-code.ts';
import { LoneBets } from '../../bench/engine/lone-bets.ts';
import { builtKernel, kernelDigest } from '../../tools/build-kernel.ts';

const betIn = (
	kernel: Kernel,
	market: number,
	{ id, side, stake }: { id: number; side: 0 | 1; stake: number },
): number => new LoneBets(kernel).add({ market, id, runner: 0, side, price: 200, tick: 99, stake });

describe('the kernel', () => {
	it('was compiled from the source that is there', async () => {
		expect(KERNEL_DIGEST, 'npm run build:kernel').toBe(await kernelDigest());
	});

	it('is what its source compiles to', { tags: 'thorough' }, async () => {
		for (const [file, text] of await builtKernel()) {
			expect(await readFile(file, 'utf8'), 'npm run build:kernel').toBe(text);
		}
	});

	it('stops and names the rule when an assertion fails', () => {
		const kernel = new Kernel(false);
		const { call } = kernel;
		const market = call.addMarket(1, 2, 2, 2, 1);
		call.addBooks(market, 350);
		const book = call.firstBookOf(market);
		const bet = betIn(kernel, market, { id: 1, side: 0, stake: 10 });
		call.rest(book, bet);
		expect(() => call.reduce(book, bet, 11)).toThrow('a resting bet is reduced by its remaining stake at most');
		expect(call.sizeFor(book, 1, 99)).toBe(10);
	});

	it('keeps its rows when its memory grows in the middle of a bet', () => {
		const kernel = new Kernel(false);
		const market = kernel.call.addMarket(1, 2, 2, 2, 1);
		kernel.call.addBooks(market, 350);
		const book = kernel.call.firstBookOf(market);
		const room = kernel.words.length;
		const bets: number[] = [];
		while (kernel.words.length === room) {
			const bet = betIn(kernel, market, { id: bets.length + 1, side: 0, stake: 10 });
			kernel.call.rest(book, bet);
			bets.push(bet);
		}
		expect(kernel.call.sizeFor(book, 1, 99)).toBe(bets.length * 10);
		const taker = betIn(kernel, market, { id: bets.length + 1, side: 1, stake: bets.length * 10 });
		kernel.call.clearReport();
		expect(kernel.call.takeFrom(book, 1, taker, bets.length * 10, 99)).toBe(bets.length);
		expect(kernel.call.bestFor(book, 1)).toBe(-1);
	});

	it('reuses the memory of an ended market for the next one', () => {
		const kernel = new Kernel(false);
		const playMarket = (index: number) => {
			const market = kernel.call.addMarket(index + 1, 2, 2, 2, 1);
			kernel.call.addBooks(market, 350);
			const book = kernel.call.firstBookOf(market);
			for (let id = 1; id < 2000; id++) kernel.call.rest(book, betIn(kernel, market, { id: id, side: 0, stake: 10 }));
			kernel.call.endMarket(market);
		};
		playMarket(0);
		playMarket(1);
		const room = kernel.words.length;
		for (let index = 2; index < 400; index++) playMarket(index);
		expect(kernel.words.length).toBe(room);
	});
});
