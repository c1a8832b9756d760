/** What the stream remembers for clients that come back: everything since their clock, or that it does not know. */
import { expect, it } from 'vitest';
import { OrderLog } from '#server/doors/bots-api/order-subscription.ts';
import { KNOWN_MS, StreamClock } from '#server/doors/bots-api/stream-clock.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
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

it('takes a clock that it gave within the hour, and no other', () => {
	let now = 1_000_000;
	const clock = new StreamClock(() => now);
	for (let batch = 0; batch < 40; batch++) clock.advance();
	const given = clock.text(30);
	expect(clock.read(given)).toBe(30);
	now += KNOWN_MS - 1;
	expect(clock.read(given)).toBe(30);
	now += 1;
	expect(clock.read(given)).toBeNull();
	const ahead = clock.text(41);
	const ofAnother = new StreamClock(() => now).text(0);
	for (const wrong of [ahead, ofAnother, '', '.', 'x.y.z', `${clock.text(1)}.1`, clock.text(1).replace('.1.', '.-1.')])
		expect(clock.read(wrong), wrong).toBeNull();
});
