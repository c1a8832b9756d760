/** Parses an operator's value for a field of a brand's setting. */
import * as v from 'valibot';
import { DomainSetting } from '#contract/domain-setting.ts';
import { Refused } from '#values/error-catalogue.ts';

/**
 * A brand's host is its name, the server counts its versions, its players hold money of its pool and currency, and two
 * members choose its profile.
 */
const FIXED: ReadonlySet<string> = new Set(['domain', 'version', 'pool', 'currency', 'profiles', 'rules']);

const refusal = (message: string): Refused => new Refused('VALIDATION_FAILED', {}, message);

function fromJson(text: string): unknown[] {
	try {
		return [JSON.parse(text) as unknown];
	} catch {
		return [];
	}
}

/**
 * The field that changes, and its new value.
 * @param field a field's name, or "themeTokens.brand" for a part of one
 * @param text the value itself for a text field, otherwise JSON
 * @throws Refused VALIDATION_FAILED
 */
export function settingChange(setting: DomainSetting, field: string, text: string): Partial<DomainSetting> {
	const [name = '', part] = field.split(/\.(.*)/s);
	if (!Object.hasOwn(DomainSetting.entries, name)) throw refusal(`A domain setting has no field ${name.slice(0, 40)}.`);
	if (FIXED.has(name)) throw refusal(`The ${name} of a domain does not change.`);
	const key = name as keyof DomainSetting;
	const schema: v.GenericSchema = DomainSetting.entries[key];
	const whole = (value: unknown): unknown => {
		if (part === undefined) return value;
		const held = setting[key];
		if (typeof held !== 'object' || Array.isArray(held)) throw refusal(`${name} has no parts.`);
		// A record's schema ignores these names, so a change of one would have no effect.
		if (part in Object.prototype) throw refusal(`${name} has no part ${part.slice(0, 40)}.`);
		return { ...held, [part]: value };
	};
	const results = [text, ...fromJson(text)].map((value) => v.safeParse(schema, whole(value)));
	const fitting = results.find(({ success }) => success);
	if (fitting) {
		const change: Partial<DomainSetting> = { [key]: fitting.output };
		const { languages, defaultLanguage } = { ...setting, ...change };
		if (!languages.includes(defaultLanguage)) throw refusal('The default language is one of the languages.');
		return change;
	}
	const issues = results.at(-1)?.issues ?? [];
	throw refusal(`${field}: ${issues.map(({ message }) => message).join(' ')}`);
}
