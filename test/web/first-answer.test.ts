/** The answer to the page's own first call, and who gets it. */
import { afterEach, expect, it } from 'vitest';
import { takeFirstAnswer } from '#web/api/first-answer.ts';

const URL = '/event/GetBySportName?sportName=Cricket';
const answer = Promise.resolve(new Response('{}'));
const hold = (token: string | null) => {
	globalThis.firstCall = { url: URL, token, answer };
};
afterEach(() => {
	globalThis.firstCall = undefined;
});

it('goes to the same call, once', () => {
	hold('mine');
	expect(takeFirstAnswer('/Event/Closest?take=100&skip=0', 'mine', 100)).toBeUndefined();
	expect(takeFirstAnswer(URL, 'mine', 100)).toBe(answer);
	expect(takeFirstAnswer(URL, 'mine', 100)).toBeUndefined();
});

it.each([
	['another login', 'other', 100],
	['a visitor', null, 100],
	['a page that is a quarter of a minute old', 'mine', 15_000],
])('does not go to %s, now or later', (_, token, ageMs) => {
	hold('mine');
	expect(takeFirstAnswer(URL, token, ageMs)).toBeUndefined();
	expect(takeFirstAnswer(URL, 'mine', 100)).toBeUndefined();
});
