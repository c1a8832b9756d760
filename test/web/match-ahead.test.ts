/** The match that is drawn while a finger rests on its link. */
import { beforeEach, expect, it } from 'vitest';
import { forgetAhead, openAhead, renderAhead, showAhead, useMatchAhead } from '#web/features/market/match-ahead.ts';

beforeEach(forgetAhead);

it('follows nothing before it is painted, although the match before it was left in that moment', () => {
	renderAhead('1');
	openAhead();
	forgetAhead();
	renderAhead('2');
	// The paint of the first one is told late.
	showAhead('1');
	expect(useMatchAhead.getState()).toEqual({ eventId: '2', isOpened: false, isShown: false });
	openAhead();
	showAhead('2');
	expect(useMatchAhead.getState().isShown).toBe(true);
});
