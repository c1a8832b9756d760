/** What games say, in English as it was written: nothing urges on, comforts a loss, or speaks of skill where chance decides. */
import { expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { houseRulesOf } from '#games/house-rules.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

/** A text that takes figures gets some. */
function sentencesIn(texts: unknown): string[] {
	if (typeof texts === 'string') return [texts];
	if (typeof texts === 'function') {
		const said: unknown = (texts as (...figures: unknown[]) => unknown)(7, 7, 7, 7);
		return sentencesIn(said);
	}
	return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(sentencesIn) : [];
}

const RULES = GAMES.flatMap((game) => [...sentencesIn(game.rules), ...houseRulesOf(game)]);
const SAID = [...sentencesIn(CASINO_TEXTS), ...RULES];

const URGES =
	/\b(play|try|spin|bet|go) (it )?again\b|\bone more (round|bet|game|spin|go|time)\b|\bkeep (going|playing|betting)\b|\b(win|get) (it|them|your \w+) back\b|\bnext time\b|\bdon’t (stop|miss)\b|\byour luck\b|\bhurry\b|\bdouble up\b/i;
const COMFORTS = /\b(so close|nearly|almost|unlucky|bad luck|just missed|near miss)\b/i;
const SKILL = /\b(skill\w*|strateg\w+|reflex\w*|practice|practise|timing|talent|master(ed|y)?|experts?)\b/i;
const SHORTENS = /\b(turbo|quick (spin|play)|slam|skip (the )?(round|animation)|faster)\b/i;

it('finds the words that it looks for, and reads enough', () => {
	expect(SAID.length).toBeGreaterThan(300);
	expect(
		['Play again!', 'Win it back', 'So close!', 'A game of skill', 'Turbo'].map((text) =>
			[URGES, COMFORTS, SKILL, SHORTENS].some((words) => words.test(text)),
		),
	).toEqual(Array.from({ length: 5 }, () => true));
});

it.each([
	['urges a player to go on or to win losses back', URGES],
	['calls a lost round one that was nearly won', COMFORTS],
	['offers to make a round shorter', SHORTENS],
])('no game %s', (_what, words) => {
	expect(SAID.filter((text) => words.test(text))).toEqual([]);
});

it('no game without decisions speaks of skill, and its outcome depends on the draws alone', () => {
	expect(sentencesIn(CASINO_TEXTS).filter((text) => SKILL.test(text))).toEqual([]);
	for (const game of GAMES.filter(({ kind }) => kind !== 'turns')) {
		expect([game.code, [...sentencesIn(game.rules), ...houseRulesOf(game)].filter((text) => SKILL.test(text))]).toEqual(
			[game.code, []],
		);
		// No choice, time or press of the player takes part.
		if ('outcomeOf' in game) expect([game.code, game.outcomeOf.length]).toEqual([game.code, 1]);
	}
});
