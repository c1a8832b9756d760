/** The names of sides, people, leagues and races: many, invented where they are not nations, and written as the field does. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { cricket } from '#sports/cricket/cricket-play.ts';
import { football } from '#sports/football/football-play.ts';
import { kabaddi } from '#sports/kabaddi/kabaddi-play.ts';
import { personOf } from '#sports/names.ts';
import type { SimulatedSport } from '#sports/play.ts';
import { COURSES, horseOf, jockeyOf } from '#sports/racing/racing-names.ts';
import { horseRacing } from '#sports/racing/racing-play.ts';
import { tennis } from '#sports/tennis/tennis-play.ts';
import { flagOf } from '#ui/nation-flags.ts';

/** More than a sport announces in a month. */
const FIXTURES = 120;

const BRANDS: Record<string, { domainTitle: string }> = JSON.parse(readFileSync('db/seed/brands.json', 'utf8'));

/** Titles and competitions of the first fixtures. */
const fixturesOf = (sport: SimulatedSport) =>
	Array.from({ length: FIXTURES }, (_, number) => {
		const { title, competition } = sport.begin(1, number);
		return { title, competition, sides: title.split(' v ') };
	});

describe.each(SIMULATED_SPORTS.map((sport) => [sport.key, fixturesOf(sport)] as const))('%s', (_, fixtures) => {
	it('names no league after a brand', () => {
		const titles = Object.values(BRANDS).map(({ domainTitle }) => domainTitle.toLowerCase());
		const leagues = new Set(fixtures.map(({ competition }) => competition.toLowerCase()));
		expect([...leagues].filter((league) => titles.some((title) => league.split(/\W+/).includes(title)))).toEqual([]);
	});

	it('follows no fixture with the same one', () => {
		const again = fixtures.filter(({ title }, at) => fixtures[at - 1]?.title === title);
		expect(again).toEqual([]);
	});
});

describe('names', () => {
	it.each([
		['football', football, 60],
		['cricket', cricket, 30],
		['kabaddi', kabaddi, 30],
		['tennis', tennis, 200],
	] as const)('of sides in %s are many, and no side meets itself', (_, sport, least) => {
		const fixtures = fixturesOf(sport);
		for (const { sides } of fixtures) expect(new Set(sides).size).toBe(2);
		expect(new Set(fixtures.flatMap(({ sides }) => sides)).size).toBeGreaterThanOrEqual(least);
	});

	it('of people are several hundred in each region, and none is there twice', () => {
		for (const region of ['india', 'islands', 'europe', 'orient'] as const) {
			const people = Array.from({ length: 1000 }, (_, number) => personOf(region, number));
			expect(new Set(people).size, region).toBe(people.length);
			const surnames = people.slice(0, 30).map((person) => person.split(' ')[1]);
			expect(new Set(surnames).size, region).toBe(surnames.length);
		}
	});

	it('of horses, jockeys and courses are invented by the hundred', () => {
		const horses = Array.from({ length: 600 }, (_, number) => horseOf(number));
		expect(new Set(horses).size).toBe(horses.length);
		expect(new Set(Array.from({ length: 72 }, (_, number) => jockeyOf(number))).size).toBeGreaterThan(60);
		expect(new Set(COURSES).size).toBeGreaterThanOrEqual(20);
	});

	it.each([
		['football', football, 'Nations Cup', 11],
		['cricket', cricket, 'International Twenty20', 11],
		['kabaddi', kabaddi, 'Asian Kabaddi Series', 8],
	] as const)('of nations in %s each have a flag', (_, sport, league, least) => {
		const sides = fixturesOf(sport)
			.filter(({ competition }) => competition === league)
			.flatMap(({ sides: both }) => both);
		expect(new Set(sides).size).toBeGreaterThanOrEqual(least);
		expect(sides.filter((side) => flagOf(side) === undefined)).toEqual([]);
	});

	it('of races are time, course and distance, and jump races have no draw', () => {
		for (const number of [0, 1, 2, 3, 4]) {
			const race = horseRacing.begin(1, number);
			// 14:30 in India.
			const title = horseRacing.titleAt?.(race.title, Date.UTC(2026, 0, 5, 9, 0));
			expect(title).toMatch(/^14:30 [A-Z][a-z]+( [A-Z][a-z]+)? · \dm([1-7]f)? ((Handicap|Novices’) )?(Hurdle|Chase)$/);
			for (const { runners } of race.state().markets)
				for (const runner of runners) expect(runner).not.toHaveProperty('draw');
		}
	});
});
