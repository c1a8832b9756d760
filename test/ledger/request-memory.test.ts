/** The memory of accepted requests in front of a table, with limits so small that everything is forgotten all the time. */
import { describe, expect, it } from 'vitest';
import type { Receipt } from '#server/exchange/exchange.ts';
import { nothingDone } from '#server/exchange/order/receipt.ts';
import { RecentEntries } from '#server/exchange/order/recent-entries.ts';
import { bodyHashOf, RequestMemory } from '#server/exchange/order/request-memory.ts';
import type { WalletId } from '#values/ids.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { onSeeds } from '../support/seeds.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Of a bet, of a bet at another price than it asked, of a cash-out with hedges, or of an act that placed no bet. */
function receiptNumbered(number: number): Receipt {
	const plain = {
		...nothingDone(1_700_000_000_000 + number),
		balance: 5_000_000_000 + number,
		batchSeq: number,
		betId: number % 4 === 3 ? null : number,
		dueAtMs: number % 5 === 0 ? 1_700_000_005_000 : null,
		stake: number,
	};
	if (number % 4 === 1) return { ...plain, price: 210 };
	return number % 4 === 2 ? { ...plain, hedges: [] } : plain;
}

/** Accepts requests as the sequencer does, into a table that answers a few turns later. */
class Accepting {
	readonly rows = new Map<string, { walletId: WalletId; clientRequestId: string; bodyHash: string; answer: Receipt }>();
	/** How often each request was accepted and became durable. */
	readonly accepted = new Map<string, number>();
	lookUps = 0;
	readonly memory: RequestMemory;
	readonly #turns: () => number;
	#receipts = 0;

	constructor(turns: () => number, limits: { answers: number; ids: number; idsOfOne: number }) {
		this.#turns = turns;
		this.memory = new RequestMemory(
			{
				idsOfWallet: async (walletId, most) => {
					const ids = [...this.rows.values()]
						.filter((row) => row.walletId === walletId)
						.map((row) => row.clientRequestId);
					await this.#wait();
					return ids.slice(0, most);
				},
				find: async (walletId, clientRequestId) => {
					this.lookUps++;
					const row = this.rows.get(`${walletId} ${clientRequestId}`) ?? null;
					await this.#wait();
					return row;
				},
			},
			limits,
		);
	}

	/** @param fails the request never becomes durable */
	async request(walletId: WalletId, clientRequestId: string, fails = false): Promise<Receipt | null> {
		const key = { walletId, clientRequestId, body: 'bet' };
		if (!this.memory.isSure(key)) await this.memory.lookUp(key);
		const earlier = this.memory.find(key);
		if (earlier) return await earlier.catch(() => null);
		const receipt = receiptNumbered(++this.#receipts);
		const answer = this.#write(walletId, clientRequestId, receipt, fails);
		this.memory.remember(walletId, clientRequestId, bodyHashOf('bet'), answer);
		return await answer.catch(() => null);
	}

	async #write(walletId: WalletId, clientRequestId: string, answer: Receipt, fails: boolean): Promise<Receipt> {
		await this.#wait();
		if (fails) throw new Error('The batch failed.');
		const name = `${walletId} ${clientRequestId}`;
		this.rows.set(name, { walletId, clientRequestId, bodyHash: bodyHashOf('bet'), answer });
		this.accepted.set(name, (this.accepted.get(name) ?? 0) + 1);
		return answer;
	}

	async #wait(): Promise<void> {
		for (let left = this.#turns(); left > 0; left--) await turn();
	}
}

describe('entries of which the oldest are forgotten', () => {
	it.each(['random', 'numbered'])('has the newest, about as many as it should, with %s keys', (kind) => {
		const numbers = new SeededNumbers(1);
		const most = 4_000;
		const entries = new RecentEntries<number>(most);
		const keys: string[] = [];
		for (let at = 0; at < 5 * most; at++) {
			keys.push(kind === 'random' ? numbers.below(2 ** 31).toString(16) : `request-${at}`);
			const key = keys[at] as string;
			if (entries.has(key)) entries.replace(key, at);
			else entries.add(key, at);
			if (at % 100 === 0 && entries.isFull) entries.trim(() => true);
		}
		entries.trim(() => true);
		const last = new Map(keys.map((key, at) => [key, at]));
		const kept = [...last].filter(([key]) => entries.has(key));
		for (const [key, at] of kept) expect(entries.get(key)).toBe(at);
		expect(kept.length).toBeGreaterThan(most / 2);
		expect(kept.length).toBeLessThanOrEqual(most);
		for (const key of keys.slice(-most / 4)) expect(entries.has(key)).toBe(true);
	});
});

describe('the memory of requests', () => {
	onSeeds(
		[1, 2, 3, 4],
		'never lets a request be accepted twice, and repeats its first answer (seed %i)',
		async (seed) => {
			const numbers = new SeededNumbers(seed);
			const below = (limit: number) => numbers.below(limit);
			const accepting = new Accepting(() => below(4), { answers: 5, ids: 12, idsOfOne: 5 });
			const first = new Map<string, Receipt>();
			for (let round = 0; round < 300; round++) {
				await Promise.all(
					Array.from({ length: 1 + below(6) }, async () => {
						const walletId = (1 + below(5)) as WalletId;
						const id = `r${below(9)}`;
						const receipt = await accepting.request(walletId, id, below(5) === 0);
						if (!receipt) return;
						const name = `${walletId} ${id}`;
						expect(receipt).toEqual(first.get(name) ?? receipt);
						first.set(name, receipt);
					}),
				);
			}
			expect(first.size).toBe(45);
			expect([...accepting.accepted.values()].every((times) => times === 1)).toBe(true);
		},
	);

	it('asks the table for none of a player’s new requests but the first, however many answers it has forgotten', async () => {
		const accepting = new Accepting(() => 0, { answers: 5, ids: 1_000, idsOfOne: 500 });
		for (const walletId of [1, 2]) {
			await accepting.request(walletId, 'its first');
			await accepting.memory.loaded();
		}
		for (let bet = 0; bet < 100; bet++) await accepting.request(1 as WalletId, `first-${bet}`);
		for (let bet = 0; bet < 100; bet++) await accepting.request(2 as WalletId, `other-${bet}`);
		for (let bet = 0; bet < 100; bet++) await accepting.request(1 as WalletId, `second-${bet}`);
		expect(accepting.lookUps).toBe(2);
	});

	it('answers the first requests of players whose ids are not loaded yet, and repeats what the table has of them', async () => {
		const loading = Promise.withResolvers<string[]>();
		const loads: number[] = [];
		const known = { walletId: 2, clientRequestId: 'known', bodyHash: bodyHashOf('bet'), answer: receiptNumbered(1) };
		const memory = new RequestMemory({
			idsOfWallet: (walletId) => {
				loads.push(walletId);
				return loading.promise;
			},
			find: async (_walletId, clientRequestId) => (clientRequestId === 'known' ? known : null),
		});
		const requests = [1, 2, 3].flatMap((walletId) =>
			['known', 'new'].map((clientRequestId) => ({ walletId, clientRequestId, body: 'bet' })),
		);
		await Promise.all(requests.map((request) => memory.lookUp(request)));
		for (const request of requests) {
			const earlier = await memory.find(request);
			expect(earlier).toEqual(request.clientRequestId === 'known' ? known.answer : null);
			expect(memory.isSure(request)).toBe(earlier !== null);
		}
		// The database reads the ids of one player at a time.
		expect(loads).toEqual([1]);
		loading.resolve(['known']);
		await memory.loaded();
		expect(loads).toEqual([1, 2, 3]);
		for (const walletId of [1, 2, 3])
			expect(memory.isSure({ walletId, clientRequestId: 'new', body: 'bet' })).toBe(true);
	});

	it('looks up what it forgot of a player with too many new requests while the ids were loaded', async () => {
		const loading = Promise.withResolvers<string[]>();
		const limits = { answers: 2, ids: 1_000, idsOfOne: 3 };
		const memory = new RequestMemory({ idsOfWallet: () => loading.promise, find: async () => null }, limits);
		const requestOf = (bet: number) => ({ walletId: 1, clientRequestId: `bet-${bet}`, body: 'bet' });
		for (let bet = 0; bet < 6; bet++) {
			const request = requestOf(bet);
			await memory.lookUp(request);
			memory.remember(1, request.clientRequestId, bodyHashOf('bet'), Promise.resolve(receiptNumbered(bet)));
		}
		// The answers are trimmed in a turn of its own.
		await turn();
		loading.resolve([]);
		await memory.loaded();
		for (let bet = 0; bet < 6; bet++)
			expect(!memory.isSure(requestOf(bet)) || (await memory.find(requestOf(bet))) !== null).toBe(true);
	});

	it('loads a player’s ids with the next request where the database was away', async () => {
		let isAway = true;
		const memory = new RequestMemory({
			idsOfWallet: async () => {
				if (isAway) throw new Error('the database is away');
				return [];
			},
			find: async () => null,
		});
		const request = { walletId: 1, clientRequestId: 'r', body: 'bet' };
		await memory.lookUp(request);
		await memory.loaded();
		expect(memory.isSure(request)).toBe(false);
		isAway = false;
		await memory.lookUp(request);
		await memory.loaded();
		expect(memory.isSure(request)).toBe(true);
	});

	it('refuses the id of any durable answer with another body, and repeats it with the same', async () => {
		const memory = new RequestMemory({ idsOfWallet: async () => [], find: async () => null });
		const walletId: WalletId = 1;
		for (let number = 0; number < 8; number++) {
			const bodyHash = bodyHashOf(`bet ${number}`);
			memory.remember(walletId, `r${number}`, bodyHash, Promise.resolve(receiptNumbered(number)));
		}
		await turn();
		for (let number = 0; number < 8; number++) {
			const key = { walletId, clientRequestId: `r${number}` };
			expect(await memory.find({ ...key, body: `bet ${number}` })).toEqual(receiptNumbered(number));
			expect(() => memory.find({ ...key, body: 'bet' })).toThrow('already used');
		}
	});

	it('accepts both of two ids that share their hash', async () => {
		// The best-known pair of words with one FNV-1a hash of 32 bits.
		const accepting = new Accepting(() => 0, { answers: 1, ids: 100, idsOfOne: 50 });
		for (const id of ['costarring', 'liquid', 'costarring', 'liquid']) await accepting.request(1 as WalletId, id);
		expect(accepting.rows.size).toBe(2);
		expect(accepting.lookUps).toBeGreaterThan(0);
	});
});
