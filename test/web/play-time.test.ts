/** How long a player has been here: what goes on, and what begins again. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minorOf } from '#values/money.ts';
import { removeStored } from '#web/api/storage.ts';
import { keepStay, stayAt } from '#web/store/play-time.ts';
import { hearServerTime, useServerClock } from '#web/store/server-clock.ts';
import { useElapsed } from '#web/store/use-countdown.ts';

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

describe('the time of a stay, on a device whose clock is five minutes off', () => {
	const serverMs = () => START + performance.now();
	const hear = () => hearServerTime(serverMs(), performance.now());
	const stayNow = () => keepStay('7', figures(0));
	const Seconds = () => createElement('b', null, useElapsed(stayNow().startedAtMs));
	const shown = () => {
		const { startedAtMs, seenAtMs } = stayNow();
		const figure = Number(/\d+/.exec(renderToStaticMarkup(createElement(Seconds)))?.[0]);
		return [figure, (seenAtMs - startedAtMs) / 1000];
	};
	beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
	afterEach(() => {
		useServerClock.setState({ startMs: null });
		removeStored('playTime');
		vi.useRealTimers();
	});

	it.each([-5, 5])('goes on through a reload, and when that clock is set (%d)', (off) => {
		vi.setSystemTime(serverMs() + off * MINUTE);
		hear();
		stayNow();
		vi.advanceTimersByTime(10 * MINUTE);
		vi.setSystemTime(serverMs() - off * 12 * MINUTE);
		expect(shown()).toEqual([600, 600]);
		vi.setSystemTime(serverMs() + off * MINUTE);
		useServerClock.setState({ startMs: null });
		stayNow();
		hear();
		expect(shown()).toEqual([600, 600]);
	});

	it.each([-5, 5])('begins where it began, although the server told its time later (%d)', (off) => {
		vi.setSystemTime(serverMs() + off * MINUTE);
		stayNow();
		vi.advanceTimersByTime(2000);
		hear();
		expect(shown()).toEqual([2, 2]);
	});
});
