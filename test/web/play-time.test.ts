/** How long a player has been here: what goes on, and what begins again. */
import { describe, expect, it } from 'vitest';
import { minorOf } from '#values/money.ts';
import { stayAt } from '#web/store/play-time.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 22, 12);
const figures = (netPosition: number) => ({ netPosition: minorOf(netPosition), staked: minorOf(0) });
const began = stayAt(null, '7', figures(-500), START);

describe('a stay', () => {
	it('begins with the player’s standing and goes on while the site is open', () => {
		const later = stayAt(began, '7', figures(900), START + 20 * MINUTE);
		expect(later).toEqual({ ...began, seenAtMs: START + 20 * MINUTE });
		expect(later).toMatchObject({ startedAtMs: START, netPosition: -500 });
	});

	it('begins anew after more than half an hour away, and for another player', () => {
		const back = stayAt(began, '7', figures(900), START + 31 * MINUTE);
		expect(back).toMatchObject({
			startedAtMs: START + 31 * MINUTE,
			remindedAtMs: START + 31 * MINUTE,
			netPosition: 900,
		});
		expect(stayAt(began, '8', figures(0), START + MINUTE)).toMatchObject({ userId: '8', startedAtMs: START + MINUTE });
	});

	it('claims no time that was not played when the clock jumps either way', () => {
		expect(stayAt(began, '7', figures(0), START + 600 * MINUTE).startedAtMs).toBe(START + 600 * MINUTE);
		expect(stayAt(began, '7', figures(0), START - 600 * MINUTE).startedAtMs).toBe(START - 600 * MINUTE);
	});
});
