/** Names of every simulated sport in the other languages of the site: none is left in English but proper names. */
import { describe, expect, it } from 'vitest';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { NAMED as BENGALI } from '#web/texts/bn/names.ts';
import { NAMED as HINDI } from '#web/texts/hi/names.ts';

const LATIN = /\p{Script=Latin}{2,}/gu;
const PEOPLE = new Set(['name', 'jockey', 'player', 'raider', 'team', 'instrument']);
const NO_NAMES = / · .*$|, round \d+$/;

interface Played {
	texts: ReadonlySet<string>;
	names: ReadonlySet<string>;
}
/** Of all languages. */
let all: Played | undefined;
const played = (): Played => (all ??= playSome());

/** All texts of some plays, and the words of the names in them. */
function playSome(): Played {
	const texts = new Set<string>();
	const names = new Set<string>();
	const addName = (text: string) => {
		for (const word of text.match(LATIN) ?? []) names.add(word);
	};
	for (const sport of SIMULATED_SPORTS) {
		for (let number = 0; number < 6; number++) {
			const play = sport.begin(number + 1, number);
			texts.add(play.title).add(play.competition);
			addName(play.title.replace(NO_NAMES, ''));
			while (!play.isEnded) {
				play.step();
				if (play.steps % 31 !== 0 && !play.isEnded) continue;
				const { markets, score, scoreLine } = play.state();
				texts.add(scoreLine).add(score.note);
				JSON.stringify(score, (key, value: unknown) => {
					if (PEOPLE.has(key) && typeof value === 'string') addName(value);
					if (key === 'players' && Array.isArray(value))
						for (const one of value) if (typeof one === 'string') addName(one);
					return value;
				});
				for (const { name, rules, runners } of markets) {
					texts.add(name).add(rules);
					for (const runner of runners) texts.add(runner.name);
				}
			}
		}
	}
	return { texts, names };
}

/** Tournaments of tennis are named after towns. */
const TOURNAMENTS = /^(Lisbon Open|Chennai Masters|Bergen Indoor|Nile Classic|Queensbridge Championships)/;

describe.each([
	['Hindi', HINDI],
	['Bengali', BENGALI],
] as const)('%s', (_, named) => {
	it('has a word for each name that is no person’s, side’s, horse’s or place’s', { timeout: 60_000 }, () => {
		const { texts, names } = played();
		expect(texts.size).toBeGreaterThan(300);
		const left = [...texts].flatMap((text) => {
			const words = String(named('name', text)).replace(TOURNAMENTS, '').match(LATIN) ?? [];
			const unknown = words.filter((word) => !names.has(word));
			return unknown.length > 0 ? [`${text}: ${unknown.join(' ')}`] : [];
		});
		expect(left).toEqual([]);
	});

	it('leaves what is no name, and what it does not know', () => {
		expect(named('status', 'Win')).toBe('Win');
		expect(named('name', 'India')).toBe('India');
		expect(named('name', 12)).toBe(12);
		expect(named('name', 'constructor')).toBe('constructor');
	});
});
