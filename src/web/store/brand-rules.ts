/** What the profile of the brand's jurisdiction says now; the server obeys the same rules. */
import type { BrandRules } from '#contract/brand-rules.ts';
import { NO_RULES, rulesAt } from '#contract/rules-at.ts';
import { useBrand } from '#web/store/brand.ts';

export const useBrandRules = (): BrandRules =>
	useBrand(({ setting }) => (setting ? rulesAt(setting, Date.now()) : NO_RULES));
