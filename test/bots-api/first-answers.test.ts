/** How long a customerRef counts: a minute from its first use, over parallel calls, restarts and uncertain answers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CUSTOMER_REF_MS, FirstAnswers } from '#server/doors/bots-api/first-answers.ts';
import { firstAccepted } from '#server/doors/bots-api/order-reports.ts';
import type { RequestKey } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

/** What the exchange remembers for ever: a request is done once under a key. */
class Exchange {
	readonly accepted = new Map<string, number>();

	async do(key: string, atMs: number): Promise<number> {
		await Promise.resolve();
		const first = this.accepted.get(key) ?? atMs;
		this.accepted.set(key, first);
		return first;
	}
}

async function opened(clock: () => number): Promise<FirstAnswers> {
	const answers = new FirstAnswers(database.db, clock);
	await answers.load();
	return answers;
}

onSeeds(
	[1, 2, 3],
	'is done once within its minute and anew after it, whatever restarts and repetitions, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const exchange = new Exchange();
		let nowMs = seed * 1_000_000_000;
		let answers = await opened(() => nowMs);
		/** The first use that counts now, by reference. */
		const firstUse = new Map<string, number>();
		const outcomes = { first: 0, repeated: 0 };
		for (let step = 0; step < 400; step++) {
			nowMs += numbers.below(9_000);
			if (numbers.chance(10)) answers = await opened(() => nowMs);
			const ref = `ref-${seed}-${numbers.below(6)}`;
			const isRefused = ref.endsWith('0');
			const call = {
				work: async (period: number) => {
					const at = isRefused ? nowMs : await exchange.do(`${ref} ${period}`, nowMs);
					return { answer: at, hasRefusal: isRefused, isFinal: true };
				},
				acceptedAt: async (period: number) => exchange.accepted.get(`${ref} ${period}`) ?? null,
			};
			const use = () => answers.first({ playerId: 1, name: ref, bodyHash: 'same' }, call);
			const given = await Promise.all(numbers.chance(30) ? [use(), use(), use()] : [use()]);
			const first = firstUse.get(ref);
			const counts = first !== undefined && nowMs - first <= CUSTOMER_REF_MS;
			if (!counts) firstUse.set(ref, nowMs);
			outcomes[counts ? 'repeated' : 'first'] += 1;
			for (const at of given) expect([step, ref, at]).toEqual([step, ref, counts ? first : nowMs]);
		}
		expect(Math.min(outcomes.first, outcomes.repeated)).toBeGreaterThan(20);
	},
);

it('goes with one call: another under it is refused within the minute', async () => {
	let nowMs = 1_000_000;
	const answers = await opened(() => nowMs);
	const call = {
		work: async (period: number) => ({ answer: period, hasRefusal: false, isFinal: true }),
		acceptedAt: async () => null,
	};
	const use = (bodyHash: string) => answers.first({ playerId: 2, name: 'one', bodyHash }, call);
	await use('a call');
	await expect(use('another')).rejects.toMatchObject({ code: 'REQUEST_ID_REUSED' });
	nowMs += CUSTOMER_REF_MS + 1;
	await use('another');
});

it('is new after its minute also with other orders, and after a restart, and not before', async () => {
	const firstMs = 2_000 * CUSTOMER_REF_MS + 1_000;
	let nowMs = firstMs + 30_000;
	// After the restart: the exchange knows the reference of the minute before with other orders.
	const answers = await opened(() => nowMs);
	const keyOf = (period: number): RequestKey => ({ walletId: 9, clientRequestId: `api.${period}.ref`, body: 'other' });
	const { clientRequestId: used } = keyOf(2_000);
	await database.db.query(
		"insert into request_key (slot, wallet_id, client_request_id, body_hash, answer, at) values (0, 9, $1, 'first', '{}', $2)",
		[used, firstMs],
	);
	const earlier = async ({ clientRequestId }: RequestKey) => {
		if (clientRequestId === used) throw new Refused('REQUEST_ID_REUSED');
		return null;
	};
	const parts = { exchange: { earlier }, db: database.db } as unknown as Parameters<typeof firstAccepted>[0];
	const call = {
		work: async (period: number) => {
			await earlier(keyOf(period));
			return { answer: period, hasRefusal: false, isFinal: true };
		},
		acceptedAt: (period: number) => firstAccepted(parts, [keyOf(period)], nowMs),
	};
	const use = () => answers.first({ playerId: 9, name: 'ref', bodyHash: 'other' }, call);
	nowMs = firstMs + CUSTOMER_REF_MS - 1;
	await expect(use()).rejects.toMatchObject({ code: 'REQUEST_ID_REUSED' });
	nowMs = firstMs + CUSTOMER_REF_MS + 10_000;
	expect(await use()).toBe(2_001);
});

it('forgets no first use for another: too many new ones of one player, or of all, are refused', async () => {
	// Later than what the other tests left in the table.
	let nowMs = 100_000_000 * CUSTOMER_REF_MS - 1_000;
	const answers = new FirstAnswers(database.db, () => nowMs, { most: 3, mostOfOne: 2 });
	await answers.load();
	const exchange = new Exchange();
	const use = async (playerId: number, name: string): Promise<unknown> =>
		await answers
			.first(
				{ playerId, name, bodyHash: 'same' },
				{
					work: async (period: number) => {
						const answer = await exchange.do(`${playerId} ${name} ${period}`, nowMs);
						return { answer, hasRefusal: false, isFinal: true };
					},
					acceptedAt: async () => null,
				},
			)
			.catch((error: Error & { code?: string }) => error.code);
	const first = nowMs;
	expect([await use(1, 'a'), await use(1, 'b'), await use(1, 'c')]).toEqual([first, first, 'THROTTLED']);
	expect([await use(2, 'a'), await use(2, 'b'), await use(3, 'a')]).toEqual([first, 'OVERLOADED', 'OVERLOADED']);
	// The next minute of the clock: a repetition is still the same request to the exchange.
	nowMs += 2_000;
	expect([await use(1, 'a'), await use(1, 'c'), await use(2, 'a')]).toEqual([first, 'THROTTLED', first]);
	nowMs += CUSTOMER_REF_MS;
	expect([await use(1, 'c'), await use(1, 'a'), await use(1, 'b'), await use(3, 'a')]).toEqual([
		nowMs,
		nowMs,
		'THROTTLED',
		nowMs,
	]);
});
