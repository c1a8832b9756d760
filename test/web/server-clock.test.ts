/** What is counted to a time of the server goes by the server's clock, whatever the device's own says. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minorOf } from '#values/money.ts';
import { MINUTE_MS } from '#values/time.ts';
import { StartTime } from '#web/features/match-list/start-time.tsx';
import { LimitList } from '#web/features/protection/limit-list.tsx';
import { queryClient } from '#web/store/query-client.ts';
import { everyMs, hearServerTime, serverNow, useServerClock } from '#web/store/server-clock.ts';
import { useCountdown } from '#web/store/use-countdown.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const START = Date.UTC(2026, 10, 27, 12);

/** What the page's clock reads at the start; less when that clock stood still since. */
let beganMs: number;
const serverMs = () => START + performance.now() - beganMs;
const isoIn = (ms: number) => new Date(START + ms).toISOString();

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
	beganMs = performance.now();
});
afterEach(() => {
	useServerClock.setState({ startMs: null });
	vi.useRealTimers();
});

const setDeviceTo = (offMs: number) => vi.setSystemTime(serverMs() + offMs);

/** The hub answers with its time. */
function hear({ thereMs = 40, backMs = 40 } = {}): void {
	const askedAtMs = performance.now();
	vi.advanceTimersByTime(thereMs);
	const toldMs = serverMs();
	vi.advanceTimersByTime(backMs);
	hearServerTime(toldMs, askedAtMs);
}

const Seconds = ({ until }: { until: number }) => createElement('b', null, useCountdown(START + until));
const secondsUntil = (ms: number) =>
	Number(/\d+/.exec(renderToStaticMarkup(createElement(Seconds, { until: ms })))?.[0]);

const startText = (inMs: number) => renderToStaticMarkup(createElement(StartTime, { startsAt: isoIn(inMs) }));

function isRaiseDue(inMs: number): boolean {
	const raise = { amount: minorOf(2000_00), confirmableFrom: isoIn(inMs) };
	const limits = [{ name: 'depositDay' as const, limit: minorOf(1000_00), used: minorOf(0), raise }];
	const list = createElement(LimitList, { limits, depositFrames: 'rolling' });
	const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, list));
	return page.includes(`>${PROTECTION_TEXTS.limits.confirm}<`);
}

describe.each([
	['five minutes behind', -5 * MINUTE_MS],
	['right', 0],
	['five minutes ahead', 5 * MINUTE_MS],
])('on a device whose clock is %s', (_, offMs) => {
	beforeEach(() => {
		setDeviceTo(offMs);
		hear();
	});

	it('an order’s seconds, the minutes before a match and the time of a raise are the server’s', () => {
		vi.advanceTimersByTime(MINUTE_MS + 500 - 80);
		expect(secondsUntil(3 * MINUTE_MS)).toBe(120);
		expect(startText(9 * MINUTE_MS)).toContain(TEXTS.matches.startsIn(8));
		expect([isRaiseDue(MINUTE_MS + 600), isRaiseDue(MINUTE_MS + 400)]).toEqual([false, true]);
	});

	it.each([-60, -5, 5, 60])('so they are when that clock is set by %d minutes while the page is open', (minutes) => {
		vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
		expect(Math.abs(serverNow() - serverMs())).toBeLessThanOrEqual(40);
		hear();
		expect(Math.abs(serverNow() - serverMs())).toBeLessThanOrEqual(40);
	});

	it('so they are again with the first answer after a sleep, in which the page’s clock stood still', () => {
		vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
		beganMs -= 10 * MINUTE_MS;
		hear();
		expect(Math.abs(serverNow() - serverMs())).toBeLessThanOrEqual(40);
	});
});

it('the device’s clock counts until the server has told its time, and what is shown follows at once', () => {
	setDeviceTo(-5 * MINUTE_MS);
	let looks = 0;
	const end = everyMs(10_000)(() => {
		looks += 1;
	});
	expect(secondsUntil(MINUTE_MS)).toBe(360);
	hear();
	expect([secondsUntil(MINUTE_MS), looks]).toEqual([60, 1]);
	end();
	expect(vi.getTimerCount()).toBe(0);
});

it('an answer on a slow way spoils nothing that is known, and a quick one mends what a slow one left', () => {
	setDeviceTo(5 * MINUTE_MS);
	const wrongBy = () => Math.abs(serverNow() - serverMs());
	hear({ thereMs: 4000, backMs: 0 });
	expect(wrongBy()).toBeLessThanOrEqual(4000);
	hear();
	expect(wrongBy()).toBeLessThanOrEqual(40);
	hear({ thereMs: 4000, backMs: 0 });
	hear({ thereMs: 0, backMs: 4000 });
	expect(wrongBy()).toBeLessThanOrEqual(40);
});
