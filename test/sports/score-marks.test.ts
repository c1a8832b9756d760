/** The marks of a fixture's charts follow from its score cards: one for each goal, wicket, set and fall, and one for the end. */
import { describe, expect, it } from 'vitest';
import { marksBetween } from '#contract/score-marks.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';

describe.each(SIMULATED_SPORTS.map((sport) => [sport.key, sport] as const))('%s', (_, sport) => {
	it('has as many marks as its last card counts, and one for the end', () => {
		// Where a state takes long to price, only some cards are shown, as at a high speed of play.
		const every = sport.key === 'football' || sport.key === 'tennis' ? 1 : 12;
		const play = sport.begin(9, 3);
		const card = () => ({ ...play.state().score, eventId: '1' });
		let shown = card();
		const counts: Record<string, number> = {};
		expect(marksBetween(null, shown)).toEqual([]);
		for (let steps = 1; !play.isEnded; steps++) {
			play.step();
			if (steps % every !== 0 && !play.isEnded) continue;
			const now = card();
			for (const { kind } of marksBetween(shown, now)) counts[kind] = (counts[kind] ?? 0) + 1;
			expect(marksBetween(now, shown)).toEqual([]);
			shown = now;
		}
		expect(counts['FINISH']).toBe(1);
		if (shown.sport === 'football') {
			expect(counts['GOAL'] ?? 0).toBe(shown.teams.reduce((sum, { goals }) => sum + goals, 0));
		}
		if (shown.sport === 'tennis') {
			expect(counts['SET'] ?? 0).toBe(shown.players.reduce((sum, { sets }) => sum + sets, 0));
		}
	});
});
