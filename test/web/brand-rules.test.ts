/** The rules of a brand's jurisdiction on a page that is open when they begin. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { NO_RULES } from '#contract/rules-at.ts';
import { DAY_MS } from '#values/time.ts';
import { useBrand } from '#web/store/brand.ts';
import { rulesNow, watchRules } from '#web/store/brand-rules.ts';

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
