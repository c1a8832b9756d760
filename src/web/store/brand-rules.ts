/** What the profile of the brand's jurisdiction says now; the server obeys the same rules. */
import { useSyncExternalStore } from 'react';
import type { BrandRules } from '#contract/brand-rules.ts';
import { NO_RULES, rulesAt } from '#contract/rules-at.ts';
import { LONGEST_TIMER_MS } from '#values/time.ts';
import { useBrand } from '#web/store/brand.ts';
import { serverNow, useServerClock } from '#web/store/server-clock.ts';

export function rulesNow(): BrandRules {
	const { setting } = useBrand.getState();
	return setting ? rulesAt(setting, serverNow) : NO_RULES;
}

/**
 * Calls when the setting changes, and when later rules of it begin: they come before they hold, and a page may be open
 * for days.
 * @returns the function that ends it
 */
export function watchRules(changed: () => void): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const look = (): void => {
		clearTimeout(timer);
		const begins = (useBrand.getState().setting?.rules ?? []).map(({ from }) => Date.parse(from));
		const leftMs = Math.min(...begins.map((atMs) => atMs - serverNow()).filter((ms) => ms > 0));
		if (leftMs < Number.POSITIVE_INFINITY) timer = setTimeout(look, Math.min(leftMs, LONGEST_TIMER_MS));
		changed();
	};
	const ends = [useBrand, useServerClock].map((store) => store.subscribe(look));
	look();
	return () => {
		clearTimeout(timer);
		for (const end of ends) end();
	};
}

export const useBrandRules = (): BrandRules => useSyncExternalStore(watchRules, rulesNow, rulesNow);
