/** The rules of a brand's jurisdiction on a page that is open when they begin. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { NO_RULES } from '#contract/rules-at.ts';
import { DAY_MS, MINUTE_MS } from '#values/time.ts';
import { useBrand } from '#web/store/brand.ts';
import { rulesNow, watchRules } from '#web/store/brand-rules.ts';
import { hearServerTime, useServerClock } from '#web/store/server-clock.ts';

const START = Date.UTC(2026, 10, 27, 12);
const rule = (inMs: number, profile: 'uk' | 'malta') => ({
	...NO_RULES,
	profile,
	from: new Date(START + inMs).toISOString(),
});
const hold = (...rules: ReturnType<typeof rule>[]) =>
	useBrand.setState({ setting: { rules } as unknown as DomainSetting });

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => {
	vi.useRealTimers();
	useBrand.setState({ setting: null });
	useServerClock.setState({ startMs: null });
});

it('rules begin at their instant on an open page, those of next year, too', () => {
	const seen: (string | null)[] = [];
	hold(rule(-1, 'malta'));
	const end = watchRules(() => void seen.push(rulesNow().profile));
	hold(rule(-1, 'malta'), rule(100, 'uk'), rule(400 * DAY_MS, 'malta'));
	vi.advanceTimersByTime(99);
	expect(seen.at(-1)).toBe('malta');
	vi.advanceTimersByTime(1);
	expect(seen.at(-1)).toBe('uk');
	vi.advanceTimersByTime(400 * DAY_MS - 101);
	expect(seen.at(-1)).toBe('uk');
	vi.advanceTimersByTime(1);
	expect(seen.at(-1)).toBe('malta');
	expect(seen.length).toBeLessThan(40);
	end();
	expect(vi.getTimerCount()).toBe(0);
	const count = seen.length;
	hold();
	expect(seen.length).toBe(count);
});

it.each([
	['behind', -5 * MINUTE_MS],
	['ahead', 5 * MINUTE_MS],
])('rules begin by the server’s clock on a device whose own is %s', (_, offMs) => {
	vi.setSystemTime(START + offMs);
	hold(rule(-1, 'malta'), rule(MINUTE_MS, 'uk'));
	const seen: (string | null)[] = [];
	onTestFinished(watchRules(() => void seen.push(rulesNow().profile)));
	hearServerTime(START, performance.now());
	vi.advanceTimersByTime(MINUTE_MS - 1);
	expect(seen.at(-1)).toBe('malta');
	vi.advanceTimersByTime(1);
	expect(seen.at(-1)).toBe('uk');
});
