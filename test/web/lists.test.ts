/** The lists of the site and their input: filters, favourites, search, the statement's file. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minorOf, ZERO } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { allPages } from '#web/api/all-pages.ts';
import type { PricedEvent, SportTree } from '#web/api/answers.ts';
import { titleBesideStart } from '#web/betting/title-beside-start.ts';
import { ANY_TIME, boundsOf, type DateRange } from '#web/date-range.ts';
import { roundsCsv } from '#web/features/casino/rounds-file.ts';
import { competitionsOf, daysOf, filterEvents, NO_FILTER } from '#web/features/match-list/filter-events.ts';
import {
	favouritesOf,
	headingOf,
	isBetweenSides,
	outcomesOf,
	placesOf,
} from '#web/features/match-list/match-columns.ts';
import { pinnedEvents } from '#web/features/match-list/pinned-events.ts';
import { scorePartsOf } from '#web/features/match-list/score-parts.ts';
import { findEvents } from '#web/features/search/find-events.ts';
import { statementCsv } from '#web/features/statement/statement-file.ts';
import { formatCalendarDay } from '#web/format.ts';
import type { CasinoRecord } from '#web/store/casino-queries.ts';

const at = (day: number, hour: number): string => new Date(2026, 10, day, hour).toISOString();

function event(id: string, title: string, changes: Partial<PricedEvent> = {}): PricedEvent {
	return {
		id,
		title,
		competition: 'Cup',
		sportId: 3,
		sportName: 'Cricket',
		status: 'UPCOMING',
		matchDate: at(21, 12),
		marketCount: 1,
		mainMarketId: null,
		hasTv: false,
		mainMarket: null,
		...changes,
	};
}

const treeOf = (...events: PricedEvent[]): SportTree => [{ id: 3, name: 'Cricket', order: 3, events }];

function mainMarket(id: string, type: string, ...names: string[]): NonNullable<PricedEvent['mainMarket']> {
	const runners = names.map((name) => ({ runnerId: name, name, back: null, lay: null }));
	return { marketId: id, name: 'Match Odds', type, status: 'OPEN', inPlay: false, totalMatched: ZERO, runners };
}

function withRunners(id: string, one: string, other: string, changes: Partial<PricedEvent> = {}): PricedEvent {
	return event(id, `${one} v ${other}`, { mainMarket: mainMarket(id, 'MATCH_ODDS', one, other), ...changes });
}

describe('a score in one line', () => {
	const cricket = 'Delhi Foresters 142/6 (18.0)';

	it('keeps its clock apart, and leaves out the side whose score it is', () => {
		expect(scorePartsOf(cricket, ['Goa', 'Delhi Foresters'])).toEqual({
			figures: '142/6',
			note: '18.0',
			scorer: 'Delhi Foresters',
		});
		expect(scorePartsOf('Goa 41/1 (5.4 · 64 off 86)', ['Goa', 'Delhi'])).toEqual({
			figures: '41/1',
			note: '5.4 · needs 64 off 86',
			scorer: 'Goa',
		});
		expect(scorePartsOf('2 – 1 (67′)', ['Home', 'Away'])).toEqual({ figures: '2 – 1', note: '67′', scorer: null });
	});

	it('leaves out the whole name only, whatever the sides are called', () => {
		expect(scorePartsOf(cricket, ['Delhi', 'Delhi Foresters'])).toMatchObject({ figures: '142/6' });
		expect(scorePartsOf('Goa Kings 10/1', ['Goa Kings', 'Kings']).figures).toBe('10/1');
		expect(scorePartsOf('Kerala 10/1', ['Kera', 'la 10'])).toMatchObject({ figures: 'Kerala 10/1', scorer: null });
	});
});

describe('a list of fixtures', () => {
	const events = [
		event('1', 'a', { competition: 'Shield', matchDate: at(21, 23) }),
		event('2', 'b', { matchDate: at(22, 1) }),
		event('3', 'c', { matchDate: at(22, 20) }),
	];

	it('is filtered by competition and by the player’s own day', () => {
		expect(filterEvents(events, NO_FILTER)).toEqual(events);
		expect(filterEvents(events, { competition: 'Shield', day: '' }).map(({ id }) => id)).toEqual(['1']);
		expect(filterEvents(events, { competition: '', day: '2026-11-22' }).map(({ id }) => id)).toEqual(['2', '3']);
		expect(filterEvents(events, { competition: 'Shield', day: '2026-11-22' })).toEqual([]);
	});

	it('names the choices, in order', () => {
		expect(competitionsOf(events)).toEqual(['Cup', 'Shield']);
		expect(daysOf(events, { today: 'Today', tomorrow: 'Tomorrow', weekdays: [] }, new Date(2026, 10, 21, 9))).toEqual([
			{ day: '2026-11-21', name: 'Today' },
			{ day: '2026-11-22', name: 'Tomorrow' },
		]);
	});
});

describe('a fixture of a list', () => {
	it('names a race without its time of day where its start stands beside it', () => {
		expect(titleBesideStart({ sportId: 26, title: '14:30 Brackenmoor · 3m Hurdle' })).toBe('Brackenmoor · 3m Hurdle');
		expect(titleBesideStart({ sportId: 1, title: '14:30 Rovers v Town' })).toBe('14:30 Rovers v Town');
	});

	const places = (...market: Parameters<typeof mainMarket>) =>
		outcomesOf({ mainMarket: mainMarket(...market) })?.map(({ place, runner }) => `${place} ${runner.name}`);

	it('stands on one line, a draw in the middle', () => {
		expect(places('1', 'MATCH_ODDS', 'Kerala', 'Goa', 'The Draw')).toEqual([
			'home Kerala',
			'draw The Draw',
			'away Goa',
		]);
		expect(places('2', 'MATCH_ODDS', 'India', 'Nepal')).toEqual(['home India', 'away Nepal']);
		expect(places('3', 'OVER_UNDER', 'Under', 'Over')).toEqual(['home Under', 'away Over']);
		expect(outcomesOf({ mainMarket: null })).toEqual([]);
	});

	it('names its runners one below another where they are no two sides', () => {
		expect(places('1', 'WIN', 'Kismet', 'Sultan', 'Toofan')).toBeUndefined();
		expect(places('2', 'MATCH_ODDS', 'a', 'b', 'c', 'd')).toBeUndefined();
	});

	it('without two sides has its title above the names of its runners', () => {
		const signs = { home: '1', draw: 'X', away: '2' };
		const level = event('1', 'Harbour crude oil, round 2', { mainMarket: mainMarket('1', 'MATCH_ODDS', 'Up', 'Down') });
		const match = withRunners('2', 'India', 'Nepal');
		expect([isBetweenSides(level), isBetweenSides(match)]).toEqual([false, true]);
		expect([headingOf('home', [level], signs), headingOf('away', [level], signs)]).toEqual(['Up', 'Down']);
		expect([headingOf('home', [match], signs), headingOf('away', [match], signs)]).toEqual(['1', '2']);
	});

	it('of a race names its favourites, the shortest price first, and runners without a price last', () => {
		const { runners } = mainMarket('1', 'WIN', 'Kismet', 'Sultan', 'Toofan', 'Badal');
		const backAt = (price: number | null) => price && { price: price as Price, size: ZERO };
		const priced = runners.map((runner, at) => ({
			...runner,
			back: backAt([900, null, 250, 400][at] ?? null) || null,
		}));
		expect(favouritesOf(priced, 3).map(({ name }) => name)).toEqual(['Toofan', 'Badal', 'Kismet']);
		expect(favouritesOf(runners, 2).map(({ name }) => name)).toEqual(['Kismet', 'Sultan']);
	});

	it('has a draw’s column over its sport as soon as one of them has a draw', () => {
		const two = withRunners('1', 'India', 'Nepal');
		const three = event('2', 'Test', { mainMarket: mainMarket('2', 'MATCH_ODDS', 'a', 'b', 'The Draw') });
		expect(placesOf([two])).toEqual(['home', 'away']);
		expect(placesOf([two, three])).toEqual(['home', 'draw', 'away']);
		expect(placesOf([event('3', 'Race', { mainMarket: mainMarket('3', 'WIN', 'x', 'y', 'z') })])).toBeNull();
	});
});

describe('favourites', () => {
	it('have prices where the list has them, none where the match has ended, and name the missing ones', () => {
		const live = withRunners('1', 'India', 'Nepal');
		const over = event('2', 'Over', { status: 'FINISHED' });
		const { events, gone } = pinnedEvents(['2', '9', '1'], treeOf(live, over), [live]);
		expect(events.map(({ id, mainMarket }) => [id, mainMarket !== null])).toEqual([
			['2', false],
			['1', true],
		]);
		expect(gone).toEqual(['9']);
	});
});

describe('the search', () => {
	const india = withRunners('1', 'India', 'São Tomé', { competition: 'Indus Trophy' });
	const west = withRunners('2', 'West Indies', 'Nepal', { status: 'IN_PLAY' });
	const find = (text: string) => findEvents(treeOf(india, west), [india, west], text);

	it('finds matches, runners and competitions; names that begin so come first', () => {
		expect(find('ind').map(({ kind, name }) => [kind, name])).toEqual([
			['event', 'India v São Tomé'],
			['runner', 'India'],
			['competition', 'Indus Trophy'],
			['event', 'West Indies v Nepal'],
			['runner', 'West Indies'],
		]);
	});

	it('knows letters without their accents and in any case', () => {
		expect(find('SAO t').map(({ name }) => name)).toEqual(['São Tomé', 'India v São Tomé']);
	});

	it('asks for two letters, and finds nothing where there is nothing', () => {
		expect(find('i')).toEqual([]);
		expect(find('  ')).toEqual([]);
		expect(find('zz')).toEqual([]);
	});

	it('names no runner of a match that the tree does not show', () => {
		expect(findEvents(treeOf(west), [india, west], 'ind').map(({ name }) => name)).toEqual([
			'West Indies v Nepal',
			'West Indies',
		]);
	});
});

describe('a period', () => {
	/** In Kolkata it is the 22nd, half past one; in London still the 21st. */
	const now = Date.parse('2026-11-21T20:00:00Z');
	const range = (changes: Partial<DateRange>): DateRange => ({ ...ANY_TIME, ...changes });
	const [KOLKATA, LONDON] = ['Asia/Kolkata', 'Europe/London'];

	it.each([
		['ALL', KOLKATA, {}],
		['TODAY', KOLKATA, { from: '2026-11-21T18:30:00.000Z' }],
		['TODAY', LONDON, { from: '2026-11-21T00:00:00.000Z' }],
		['WEEK', KOLKATA, { from: '2026-11-15T18:30:00.000Z' }],
	] as const)('%s begins at midnight of the brand’s zone %s, wherever the device is', (period, zone, bounds) => {
		expect(boundsOf(range({ period }), zone, now)).toEqual(bounds);
	});

	it('of yesterday ends a millisecond before today', () => {
		const bounds = { from: '2026-11-20T18:30:00.000Z', to: '2026-11-21T18:29:59.999Z' };
		expect(boundsOf(range({ period: 'YESTERDAY' }), KOLKATA, now)).toEqual(bounds);
	});

	it('of own dates holds its last day whole, whichever way round they were given', () => {
		const whole = { from: '2026-11-02T18:30:00.000Z', to: '2026-11-05T18:29:59.999Z' };
		const days = { period: 'OWN', firstDay: '2026-11-03', lastDay: '2026-11-05' } as const;
		expect(boundsOf(range(days), KOLKATA)).toEqual(whole);
		expect(boundsOf(range({ ...days, firstDay: days.lastDay, lastDay: days.firstDay }), KOLKATA)).toEqual(whole);
		// The day on which London’s clocks are set forward has 23 hours.
		const short = range({ period: 'OWN', firstDay: '2026-03-29', lastDay: '2026-03-29' });
		expect(boundsOf(short, LONDON)).toEqual({ from: '2026-03-29T00:00:00.000Z', to: '2026-03-29T22:59:59.999Z' });
	});

	it('of own dates without a day, or with one that is none, has no bound there', () => {
		expect(boundsOf(range({ period: 'OWN' }), KOLKATA)).toEqual({});
		for (const firstDay of ['soon', '2026-02-31', '2026-13-01'])
			expect(boundsOf(range({ period: 'OWN', firstDay, lastDay: '2026-11-05' }), KOLKATA)).toEqual({
				to: '2026-11-05T18:29:59.999Z',
			});
	});
});

describe('the statement’s file', () => {
	const columns = { at: 'Time', kind: 'What', reference: 'Reference', amount: 'Amount', balance: 'Balance' };

	it('has a row for each movement, quotes cells where needed, and contains no formulas', () => {
		const row = {
			id: '1',
			at: '2026-11-21T10:00:00.000Z',
			kind: 'GRANT',
			category: 'BONUS' as const,
			game: null,
			amount: minorOf(2_000_000),
			commission: minorOf(0),
			balanceAfter: minorOf(2_000_000),
		};
		const text = statementCsv(
			[
				{ ...row, reference: 'A, "B"' },
				{ ...row, kind: 'NEW_KIND', reference: '=cmd()', amount: minorOf(-50), balanceAfter: minorOf(1_999_950) },
			],
			columns,
			{ GRANT: 'Play money' },
		);
		expect(text.split('\r\n')).toEqual([
			'Time,What,Reference,Amount,Balance',
			'2026-11-21T10:00:00.000Z,Play money,"A, ""B""",20000.00,20000.00',
			"2026-11-21T10:00:00.000Z,NEW_KIND,'=cmd(),-0.50,19999.50",
		]);
	});
});

describe('the file of casino rounds', () => {
	it('names the game, has amounts in rupees and contains no formulas', () => {
		const heads = { at: 'Time', game: 'Game', result: 'Result', stake: 'Stake', payout: 'Paid', id: 'Round' };
		const round = { at: '2026-11-21T10:00:00.000Z', game: 'dice', result: '=1, 2', roundId: '17' };
		const rounds = [{ ...round, stake: 1_000, payout: 1_940 }] as unknown as CasinoRecord[];
		expect(roundsCsv(rounds, heads, (code) => `The ${code}`).split('\r\n')).toEqual([
			'Time,Game,Result,Stake,Paid,Round',
			`2026-11-21T10:00:00.000Z,The dice,"'=1, 2",10.00,19.40,17`,
		]);
	});
});

describe('the file of a record', () => {
	it('has each row once, however many come in while it is read', { tags: 'thorough' }, async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 700 }),
				fc.array(fc.nat(250), { maxLength: 4 }),
				async (count, added) => {
					const newestFirst = Array.from({ length: count }, (_, index) => ({ id: String(count - index) }));
					const asked = [...newestFirst];
					const arrivals = [...added];
					let next = count;
					const read = await allPages(
						async ({ maxResultCount, skipCount }) => {
							const items = newestFirst.slice(Number(skipCount), Number(skipCount) + Number(maxResultCount));
							for (let left = arrivals.pop() ?? 0; left > 0; left--) newestFirst.unshift({ id: String(++next) });
							return { items };
						},
						({ id }) => id,
					);
					const ids = read.map(({ id }) => id);
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids).toEqual(expect.arrayContaining(asked.map(({ id }) => id)));
				},
			),
		);
	});
});

describe('a day of the calendar', () => {
	it('is the same day wherever it is read', () => {
		expect(formatCalendarDay('2026-11-21')).toContain('21 Nov');
	});
});
