/** What the stream remembers for clients that come back: everything since their clock, or that it does not know. */
import { expect, it } from 'vitest';
import { OrderLog } from '#server/doors/bots-api/order-log.ts';
import { StreamClock, WINDOW_MS } from '#server/doors/bots-api/stream-clock.ts';
import type { BetRecord, ExchangeFigures } from '#server/exchange/exchange.ts';
import { onSeeds } from '../support/seeds.ts';

/** The same numbers for the same seed. */
function randomBelow(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * limit);
	};
}

onSeeds(
	[1, 2, 3, 4],
	'names every bet that changed after a clock, once and as it is now, or says that it has forgotten some (seed %i)',
	(seed) => {
		const below = randomBelow(seed);
		const log = new OrderLog();
		const followedAt = 10 + below(50);
		const changes: { betId: number; walletId: number; matched: number; clock: number }[] = [];
		let forgot = 0;
		for (let clock = 1; clock <= 12_000; clock++) {
			if (clock === followedAt) log.follow(1, clock - 1);
			// Few bets change often, and ever more of them once.
			const betId = below(3) === 0 ? below(20) : 100 + clock;
			const bet = { betId, walletId: 1 + below(2), matched: clock, clock };
			changes.push(bet);
			log.changed(bet as unknown as BetRecord, clock, clock);
			if (below(200) > 0) continue;
			const since = below(2) === 0 ? below(clock) : Math.max(0, clock - below(3_000));
			const known = log.after(1, since);
			if (known === null) {
				forgot += 1;
				continue;
			}
			const missed = new Map(
				changes
					.filter((change) => change.walletId === 1 && change.clock > since)
					.map((change) => [change.betId, change.clock]),
			);
			expect(new Map(known.map((one) => [one.betId, one.matched]))).toEqual(missed);
			expect(known).toHaveLength(missed.size);
		}
		// Both happened: a client before the first change that is remembered, and clients that resumed.
		expect(forgot).toBeGreaterThan(0);
		expect(log.after(1, 12_000)).toEqual([]);
		expect([log.after(1, 0), log.after(2, 12_000)]).toEqual([null, null]);
	},
);

/** The clock of a process that took the lease in that epoch, whose batches begin after these. */
const clockOf = (epoch: number, batch: number, now: () => number) =>
	new StreamClock({ epoch: () => epoch, figures: () => ({ batch }) as ExchangeFigures, now });

it('takes a clock of this process or of one before it within the window, and no other', () => {
	let now = 1_000_000_000;
	const [first, second] = [clockOf(7, 100, () => now), clockOf(9, 1_140, () => now)];
	for (let batch = 101; batch <= 140; batch++) first.advance({ batchSeq: batch, atMs: now });
	const given = first.text();
	expect(first.read(given)).toEqual({ batch: 140, atMs: now, isOwn: true });
	expect(second.read(given)).toEqual({ batch: 140, atMs: now, isOwn: false });
	now += WINDOW_MS - 1;
	expect([first.read(given)?.isOwn, second.read(given)?.isOwn]).toEqual([true, false]);
	now += 1;
	expect([first.read(given), second.read(given)]).toEqual([null, null]);
	// A deposed process does not know what came after it.
	second.advance({ batchSeq: 1_141, atMs: now });
	const later = second.text();
	expect(first.read(later)).toBeNull();
	const ofLater = (text: string) => later.replace('.', text);
	for (const wrong of ['', '.', 'x.y', 'x.y.z', `${later}.1`, ofLater('.-'), ofLater('.zzzzz'), '.1.1', 'é'])
		expect(second.read(wrong), wrong).toBeNull();
});

it('before its first batch, gives a clock that names none of those that are on their way', () => {
	const now = 1_000_000_000;
	const read = clockOf(9, 50, () => now).read(clockOf(9, 50, () => now).text());
	expect(read).toMatchObject({ batch: 50, isOwn: true });
	expect(read?.atMs).toBeLessThan(now - 70_000);
});
