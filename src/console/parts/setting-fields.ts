/** The settings of a brand as forms draw them: each path with its words, and what its schema takes. */
import { grouped } from '#console/parts/format.ts';
import { type Described, type FormField, fieldOf, innermost } from '#console/parts/schema-fields.ts';
import { PICTURE_FIELDS, type PictureField } from '#contract/brand-picture.ts';
import { DomainSetting } from '#contract/domain-setting.ts';
import { OF_BRAND, SETTING_WORDS, type SettingPath, type SettingWords } from '#contract/setting-words.ts';

/** `json` is typed as JSON, such as a list; `picture` is uploaded. */
type SettingKind = FormField['kind'] | 'json' | 'colours' | 'picture';

export interface SettingField extends SettingWords {
	path: SettingPath;
	kind: SettingKind;
	/** The bounds of a number in words; empty without any. */
	bounds: string;
	/** An empty text stands for none. */
	isNullable: boolean;
}

const isNullable = (schema: Described): boolean =>
	schema.type === 'nullable' || (schema.wrapped !== undefined && isNullable(schema.wrapped));

function schemaAt(path: string): Described {
	let entries: Readonly<Record<string, Described>> = DomainSetting.entries;
	let found: Described | undefined;
	for (const part of path.split('.')) {
		found = entries[part];
		entries = found ? (innermost(found).entries ?? {}) : {};
	}
	if (!found) throw new Error(`There is no setting ${path}.`);
	return found;
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'picklist']);

function kindOf(path: string, { kind }: FormField, schema: Described): SettingKind {
	if (path === 'themeTokens') return 'colours';
	if ((PICTURE_FIELDS as string[]).includes(path)) return 'picture';
	return PLAIN.has(innermost(schema).type) ? kind : 'json';
}

function settingField(path: SettingPath): SettingField {
	const schema = schemaAt(path);
	const field = fieldOf({ entries: { [path]: innermost(schema) } }, path);
	const kind = kindOf(path, field, schema);
	return { ...SETTING_WORDS[path], path, kind, bounds: field.bounds, isNullable: isNullable(schema) };
}

export const ALL_FIELDS: readonly SettingField[] = (Object.keys(SETTING_WORDS) as SettingPath[]).map(settingField);

/** Null for what is no path of a setting with words. */
export const settingFieldAt = (path: string): SettingField | null =>
	ALL_FIELDS.find((field) => field.path === path) ?? null;

/** What a field is called; a field of several settings keeps its name. */
export const labelOf = (path: string): string => settingFieldAt(path)?.label ?? path;

export const isPicture = (path: string): path is PictureField => (PICTURE_FIELDS as string[]).includes(path);

/** The value at a path such as `funds.minDeposit`. */
export function valueAt(setting: DomainSetting, path: string): unknown {
	let value: unknown = setting;
	for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part];
	return value ?? null;
}

/** A value as a member reads it. */
export function shownValue({ unit }: Pick<SettingField, 'unit'>, value: unknown): string {
	if (value === null || value === '') return 'none';
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (typeof value === 'number')
		return unit === '' ? String(value) : unit === OF_BRAND ? grouped(value) : `${grouped(value)} ${unit}`;
	if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ') || 'none';
	return typeof value === 'string' ? value : JSON.stringify(value);
}
