/** What everybody sees of a shared round, while bets come and many players ask. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PoolLists } from '#server/money/casino/tables/pool-lists.ts';
import { COHORTS } from '#server/platform/bus/table-topics.ts';
import { HOME_POOLS, type Pool } from '#values/pools.ts';

interface List {
	round: string;
	bets: number;
}

/** A round whose list is a count of bets. */
class Round {
	number = 1;
	bets = 0;
	made = 0;
	readonly published: (List & { version: number; pool: Pool; cohort: number })[] = [];
	readonly lists = new PoolLists<List>({
		pools: HOME_POOLS,
		round: () => String(this.number),
		make: () => {
			this.made++;
			return { round: String(this.number), bets: this.bets };
		},
		publish: (pool, list, cohort) => this.published.push({ ...list, pool, cohort }),
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

it('publishes a list to a cohort with other news once it waited for a quarter of a second, and not again by itself', () => {
	const round = new Round();
	const toFirst = () => round.published.filter(({ cohort }) => cohort === 0).map(({ bets }) => bets);
	round.bet();
	vi.advanceTimersByTime(400 / COHORTS);
	round.bet();
	vi.advanceTimersByTime(249);
	round.lists.join(0);
	expect(toFirst()).toEqual([1]);
	vi.advanceTimersByTime(1);
	round.lists.join(0);
	round.lists.join(0);
	vi.advanceTimersByTime(1_000);
	expect(toFirst()).toEqual([1, 2]);
});

it('spreads a list over its cohorts, a few times a second to each, while bets come all the time', () => {
	const round = new Round();
	for (let at = 0; at < 4_000; at += 10) {
		round.bet();
		vi.advanceTimersByTime(10);
	}
	for (let cohort = 0; cohort < COHORTS; cohort++)
		expect(round.published.filter((list) => list.cohort === cohort)).toHaveLength(10);
});

it('never shows the list of an earlier round, and ends with the last bet published to each cohort, whenever players bet and ask', () => {
	const step = fc.oneof(
		fc.constant('bet' as const),
		fc.constant('ask' as const),
		fc.constant('next' as const),
		fc.record({ join: fc.nat({ max: COHORTS - 1 }) }),
		fc.integer({ min: 1, max: 250 }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const round = new Round();
			for (const act of steps) {
				if (act === 'bet') round.bet();
				else if (act === 'next') round.next();
				else if (act === 'ask') expect(round.lists.of('PLAY').round).toBe(String(round.number));
				else if (typeof act === 'number') vi.advanceTimersByTime(act);
				else round.lists.join(act.join);
			}
			round.bet();
			// A turn of each cohort, and another one where a list was made shortly before the bet.
			vi.advanceTimersByTime(1_200);
			const last = { round: String(round.number), bets: round.bets };
			for (let cohort = 0; cohort < COHORTS; cohort++)
				expect(round.published.findLast((list) => list.cohort === cohort && list.pool === 'PLAY')).toMatchObject(last);
			for (const pool of HOME_POOLS) {
				const versions = round.published.filter((list) => list.pool === pool).map(({ version }) => version);
				expect(versions).toEqual(versions.toSorted((one, other) => one - other));
			}
		}),
	);
});
