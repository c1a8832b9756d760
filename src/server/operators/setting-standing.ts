/** The part of a brand's setting that the journal keeps of a change. */
import type { DomainSetting } from '#contract/domain-setting.ts';

/** The fields, whole, and the version. @param fields names, or parts of one such as `funds.turnover` */
export function settingStanding(setting: DomainSetting, fields: readonly string[]): Record<string, unknown> {
	const names = fields.map((field) => field.split('.')[0] ?? '');
	const values = names.map((name) => [name, setting[name as keyof DomainSetting] ?? null]);
	return { ...Object.fromEntries(values), version: setting.version };
}
