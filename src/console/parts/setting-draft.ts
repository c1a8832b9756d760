/** A member's draft of a brand's setting: changes that are checked as the server checks them, and sent together. */
import { contrastWarnings } from '#contract/contrast-check.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { type FieldText, settingChange } from '#contract/setting-change.ts';
import { isSetAlone } from '#contract/setting-guard.ts';

/** New values as text by the path of a setting, in the order in which they were drafted. */
export type Draft = ReadonlyMap<string, string>;

export const changesOf = (draft: Draft): FieldText[] => [...draft].map(([field, value]) => ({ field, value }));

export const isGuarded = (draft: Draft): boolean => [...draft.keys()].some((field) => !isSetAlone(field));

interface Checked {
	/** The setting as the draft would make it; as it is while the draft is not valid. */
	setting: DomainSetting;
	/** Why the server would refuse the draft; null if it would not. */
	problem: string | null;
	/** What is taken, but hard to read. */
	warnings: string[];
}

export function checked(setting: DomainSetting, draft: Draft): Checked {
	try {
		const after = { ...setting, ...settingChange(setting, changesOf(draft)) };
		const touchesColours = [...draft.keys()].some((field) => field.startsWith('theme'));
		return { setting: after, problem: null, warnings: touchesColours ? contrastWarnings(after) : [] };
	} catch (error) {
		return { setting, problem: error instanceof Error ? error.message : String(error), warnings: [] };
	}
}

/** The draft with one more value. */
export const withValue = (draft: Draft, field: string, value: string): Draft => new Map([...draft, [field, value]]);

export const without = (draft: Draft, field: string): Draft =>
	new Map([...draft].filter(([drafted]) => drafted !== field));
