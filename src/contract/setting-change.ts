/** Checks changes of a brand's setting: in the server before it stores them, in the console before it sends them. */
import * as v from 'valibot';
import { contrastProblem } from '#contract/contrast-check.ts';
import { DomainSetting } from '#contract/domain-setting.ts';
import { Refused } from '#values/error-catalogue.ts';

/**
 * A brand's host is its name, the server counts its versions, its players hold money of its pool and currency, and two
 * members open it for real money and choose its profile.
 */
const FIXED: ReadonlySet<string> = new Set([
	'domain',
	'version',
	'pool',
	'awaitsOwners',
	'currency',
	'profiles',
	'legalTexts',
	'rules',
]);
/** Fields that are checked together: a change of one can contradict the other. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(['languages', 'defaultLanguage']);
const OF_COLOURS: ReadonlySet<string> = new Set(['theme', 'themeTokens']);

/** A field's name, or "themeTokens.brand" for a part of one; and the value itself for a text field, otherwise JSON. */
export interface FieldText {
	field: string;
	value: string;
}

/** Whether a brand's changes can set the field. */
export const isChangeable = (field: string): field is keyof DomainSetting =>
	Object.hasOwn(DomainSetting.entries, field) && !FIXED.has(field);

const refusal = (message: string): Refused => new Refused('VALIDATION_FAILED', {}, message);

function fromJson(text: string): unknown[] {
	try {
		return [JSON.parse(text) as unknown];
	} catch {
		return [];
	}
}

/** The value as text, which `settingChange` reads as the same value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * The fields that change, and their new values. Later changes of a field build upon earlier ones.
 * @throws Refused VALIDATION_FAILED
 */
export function settingChange(setting: DomainSetting, changes: readonly FieldText[]): Partial<DomainSetting> {
	const changed: Partial<DomainSetting> = {};
	const after = { ...setting };
	for (const { field, value } of changes) {
		const change = fieldChange(after, field, value);
		Object.assign(changed, change);
		Object.assign(after, change);
	}
	const touches = (fields: ReadonlySet<string>) => Object.keys(changed).some((name) => fields.has(name));
	if (touches(OF_LANGUAGE) && !after.languages.includes(after.defaultLanguage))
		throw refusal('The default language is one of the languages.');
	const problem = touches(OF_COLOURS) ? contrastProblem(after) : null;
	if (problem !== null) throw refusal(problem);
	return changed;
}

/** The field that changes, and its new value, checked by itself. */
function fieldChange(setting: DomainSetting, field: string, text: string): Partial<DomainSetting> {
	const [name = '', part] = field.split(/\.(.*)/s);
	if (!Object.hasOwn(DomainSetting.entries, name)) throw refusal(`A domain setting has no field ${name.slice(0, 40)}.`);
	if (!isChangeable(name)) throw refusal(`The ${name} of a domain does not change.`);
	const key = name;
	const schema: v.GenericSchema = DomainSetting.entries[key];
	const whole = (value: unknown): unknown => (part === undefined ? value : withPart(name, setting[key], part, value));
	const results = [text, ...fromJson(text)].map((value) => v.safeParse(schema, whole(value)));
	const fitting = results.find(({ success }) => success);
	if (fitting) return { [key]: fitting.output };
	const issues = results.at(-1)?.issues ?? [];
	throw refusal(`${field}: ${issues.map(({ message }) => message).join(' ')}`);
}

/** An object with one part set, at any depth. @throws Refused VALIDATION_FAILED */
function withPart(name: string, held: unknown, path: string, value: unknown): object {
	if (typeof held !== 'object' || held === null || Array.isArray(held)) throw refusal(`${name} has no parts.`);
	const [part = '', rest] = path.split(/\.(.*)/s);
	// A record's schema ignores these names, so a change of one would have no effect.
	if (part in Object.prototype) throw refusal(`${name} has no part ${part.slice(0, 40)}.`);
	const inner = (held as Record<string, unknown>)[part];
	return { ...held, [part]: rest === undefined ? value : withPart(`${name}.${part.slice(0, 40)}`, inner, rest, value) };
}
