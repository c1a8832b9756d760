/** What everybody sees of a shared round, while bets come and many players ask. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PoolLists } from '#server/casino/tables/pool-lists.ts';

interface List {
	round: string;
	bets: number;
}

/** A round whose list is a count of bets. */
class Round {
	number = 1;
	bets = 0;
	made = 0;
	readonly published: List[] = [];
	readonly lists = new PoolLists<List>({
		round: () => String(this.number),
		make: () => {
			this.made++;
			return { round: String(this.number), bets: this.bets };
		},
		publish: (_, list) => this.published.push(list),
	});

	bet(): void {
		this.bets++;
		this.lists.changed('PLAY');
	}

	next(): void {
		this.number++;
		this.bets = 0;
		this.lists.allChanged();
	}
}

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
	vi.useRealTimers();
});

it('makes a list once for all players who ask within a tenth of a second, for each pool', () => {
	const round = new Round();
	for (let asked = 0; asked < 1_000; asked++) {
		round.lists.of('PLAY');
		round.lists.changed('PLAY');
	}
	expect(round.made).toBe(1);
	round.lists.of('DEMO');
	expect(round.made).toBe(2);
	vi.advanceTimersByTime(100);
	round.lists.of('PLAY');
	expect(round.made).toBe(3);
});

it('publishes a list with other news once it waited for a quarter of a second, and not again by itself', () => {
	const round = new Round();
	round.bet();
	vi.advanceTimersByTime(249);
	round.lists.join();
	expect(round.published).toHaveLength(0);
	vi.advanceTimersByTime(1);
	round.lists.join();
	round.lists.join();
	vi.advanceTimersByTime(1_000);
	expect(round.published).toMatchObject([{ bets: 1 }]);
});

it('never shows the list of an earlier round, and ends with the last bet published, whenever players bet and ask', () => {
	const step = fc.oneof(
		fc.constant('bet' as const),
		fc.constant('ask' as const),
		fc.constant('next' as const),
		fc.constant('join' as const),
		fc.integer({ min: 1, max: 250 }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const round = new Round();
			for (const act of steps) {
				if (act === 'bet') round.bet();
				else if (act === 'next') round.next();
				else if (act === 'join') round.lists.join();
				else if (act === 'ask') expect(round.lists.of('PLAY').round).toBe(String(round.number));
				else vi.advanceTimersByTime(act);
			}
			round.bet();
			vi.advanceTimersByTime(400);
			expect(round.published.at(-1)).toMatchObject({ round: String(round.number), bets: round.bets });
		}),
	);
});
