/** Acts that change several fields of a brand together, now or at an instant, and the versions from which they may come. */
import { picturesOf } from '#contract/brand-picture.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { type FieldText, settingChange, textOf } from '#contract/setting-change.ts';
import { isSetAlone } from '#contract/setting-guard.ts';
import { SETTING_WORDS } from '#contract/setting-words.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActingMember, ActPreview, ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { brandOf } from '#server/operators/named-brand.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS } from '#values/time.ts';

/** How far ahead a change may be scheduled. */
const LONGEST_AHEAD_MS = 366 * DAY_MS;

/** Other fields need a second member's confirmation; the command line's key needs none. @throws Refused SAME_PERSON */
export function checkAlone(member: ActingMember | null, fields: readonly string[]): void {
	const guarded = member && fields.find((field) => !isSetAlone(field));
	if (guarded) throw new Refused('SAME_PERSON', { field: guarded });
}

const fieldsIn = (changes: readonly FieldText[]): string[] => changes.map(({ field }) => field);

/** The value at a path such as `funds.minDeposit`. */
function valueAt(setting: DomainSetting, path: string): unknown {
	let value: unknown = setting;
	for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part];
	return value ?? null;
}

/** A brand of this engine. @throws Refused UNKNOWN_DOMAIN, OTHER_POOL */
function ownBrandOf(parts: OperatorOptions, host: string): Brand {
	const brand = brandOf(parts, host);
	if (!parts.brands.own().includes(brand))
		throw new Refused(brand.host === 'default' ? 'UNKNOWN_DOMAIN' : 'OTHER_POOL');
	return brand;
}

/** @throws Refused VALIDATION_FAILED */
function futureOf(at: string): number {
	const atMs = Date.parse(at);
	if (atMs <= Date.now()) throw new Refused('VALIDATION_FAILED', {}, 'The time has passed.');
	if (atMs > Date.now() + LONGEST_AHEAD_MS)
		throw new Refused('VALIDATION_FAILED', {}, 'The time is more than a year away.');
	return atMs;
}

/** What becomes of the fields. @throws Refused VALIDATION_FAILED */
function previewOf({ host, setting }: Brand, changes: readonly FieldText[], when: string): ActPreview {
	// An invalid value is refused when it is proposed, and not only when another member confirms it.
	settingChange(setting, changes);
	const summary = changes.map(({ field, value }) => {
		const before = JSON.stringify(valueAt(setting, field));
		return `${field} of ${host} is ${before}, and becomes ${value}${when}.`;
	});
	return { summary, lines: [], total: 0, sums: [], basis: [...summary].join('\n') };
}

async function change(parts: OperatorOptions, host: string, changes: readonly FieldText[], seen: number) {
	const { setting } = await parts.brands.change(host, changes, seen);
	return { host, version: setting.version };
}

async function schedule(parts: OperatorOptions, asked: { host: string; at: string; changes: FieldText[] }, by: string) {
	const { host, at, changes } = asked;
	const { setting } = ownBrandOf(parts, host);
	const pictures = picturesOf({ ...setting, ...settingChange(setting, changes) });
	const row = await parts.schedules.add({ host, atMs: futureOf(at), changes, pictures }, by);
	return { host, scheduleId: String(row.schedule_id), at: isoTime(row.at) };
}

/** Why a brand cannot take the changes over; null if it can. */
async function problemOf(
	{ setting, host }: Brand,
	changes: readonly FieldText[],
	{ brands }: OperatorOptions,
): Promise<string | null> {
	try {
		const after = { ...setting, ...settingChange(setting, changes) };
		const missing = await brands.missingPictures(host, after);
		return missing.length === 0 ? null : 'The brand has no such picture. Upload it again.';
	} catch (error) {
		if (error instanceof Refused) return error.message;
		throw error;
	}
}

/** Whether the changes make the one setting of the other, the version aside. */
export function isMadeBy(changes: readonly FieldText[], before: DomainSetting, after: DomainSetting): boolean {
	try {
		const made = { ...before, ...settingChange(before, changes), version: after.version };
		return canonicalJson(made) === canonicalJson(after);
	} catch (error) {
		// A setting that does not take the changes was never made of them.
		if (error instanceof Refused) return false;
		throw error;
	}
}

/** The setting that a brand had; null for a version that does not exist or was not kept. */
async function keptSetting({ brands }: OperatorOptions, host: string, version: number): Promise<DomainSetting | null> {
	return await brands.settingAt(host, version).catch((error: unknown) => {
		if (error instanceof Refused) return null;
		throw error;
	});
}

/** The other setting of a comparison. @throws Refused VALIDATION_FAILED, UNKNOWN_DOMAIN, NOT_FOUND, FORBIDDEN */
async function settingThere(
	parts: OperatorOptions,
	{ host, version, otherHost }: { host: string; version?: number | undefined; otherHost?: string | undefined },
	member: ActingMember | null,
): Promise<DomainSetting> {
	if ((version === undefined) === (otherHost === undefined))
		throw new Refused('VALIDATION_FAILED', {}, 'Name an earlier version, or another brand.');
	if (version !== undefined) return await parts.brands.settingAt(host, version);
	const other = brandOf(parts, otherHost ?? '');
	if (!visibleBrands(parts, member).includes(other)) throw new Refused('FORBIDDEN', { brand: otherHost });
	return other.setting;
}

export const BRAND_CHANGE_ACTS: ActsOf<
	| 'brand-change'
	| 'brand-change-guarded'
	| 'brand-preview'
	| 'brand-versions'
	| 'brand-differences'
	| 'brand-schedule'
	| 'brand-schedule-guarded'
	| 'brand-schedule-withdraw'
	| 'brand-schedules'
> = {
	'brand-change': ({ host, seen, changes }, parts, { member }) => {
		checkAlone(member, fieldsIn(changes));
		return change(parts, host, changes, seen);
	},
	'brand-change-guarded': ({ host, seen, changes }, parts) => change(parts, host, changes, seen),
	'brand-preview': ({ host, changes }, parts) => {
		const { setting } = brandOf(parts, host);
		return { secret: parts.previews.keep({ ...setting, ...settingChange(setting, changes) }) };
	},
	'brand-versions': async ({ host }, parts) => {
		const { version } = brandOf(parts, host).setting;
		const former = await parts.brands.formerVersions(host);
		return {
			version,
			former: former.map((each) => ({ version: each.version, replacedAt: isoTime(each.replacedAtMs) })),
		};
	},
	'brand-differences': async (asked, parts, { member }) => {
		const brand = brandOf(parts, asked.host);
		const there = await settingThere(parts, asked, member);
		const differing = Object.keys(SETTING_WORDS)
			.map((field) => ({ field, here: valueAt(brand.setting, field), there: valueAt(there, field) }))
			.filter((each) => JSON.stringify(each.here) !== JSON.stringify(each.there));
		const changes = differing.map(({ field, there: value }) => ({ field, value: textOf(value) }));
		// Some fields can only be taken over together, such as a theme and its colours.
		const together = await problemOf(brand, changes, parts);
		const differences = differing.map(async (each, at) => {
			const change = changes.slice(at, at + 1);
			const problem = together === null ? null : await problemOf(brand, change, parts);
			return { ...each, text: textOf(each.there), isAlone: isSetAlone(each.field), problem };
		});
		return { version: brand.setting.version, differences: await Promise.all(differences) };
	},
	'brand-schedule': (asked, parts, { member, actor }) => {
		checkAlone(member, fieldsIn(asked.changes));
		return schedule(parts, asked, actor);
	},
	'brand-schedule-guarded': (asked, parts, { actor }) => schedule(parts, asked, actor),
	'brand-schedule-withdraw': async ({ host, scheduleId }, parts, { actor }) => {
		await parts.schedules.withdraw(host, Number(scheduleId), actor);
		return { host, scheduleId };
	},
	'brand-schedules': async ({ host }, parts) => {
		const rows = await parts.schedules.of(brandOf(parts, host).host);
		return rows.map(({ schedule_id: id, at, changes, state, outcome, reason, scheduled_by: by }) => ({
			scheduleId: String(id),
			at: isoTime(at),
			changes,
			state,
			outcome,
			reason,
			by,
		}));
	},
};

export const BRAND_CHANGE_PREVIEWS: PreviewsOf<'brand-change-guarded' | 'brand-schedule-guarded'> = {
	'brand-change-guarded': {
		preview: ({ host, seen, changes }, parts) => {
			const brand = brandOf(parts, host);
			if (brand.setting.version !== seen) throw new Refused('WRONG_STATE');
			return previewOf(brand, changes, '');
		},
		// The version after the seen one tells, and not the present one. Another act that made the same of the seen version
		// leaves nothing to do. A change that was made and then changed back was made nevertheless: the seen version is over,
		// so nothing is made again, and the later change stands.
		isDone: async ({ host, seen, changes }, parts) => {
			const before = await keptSetting(parts, host, seen);
			const after = await keptSetting(parts, host, seen + 1);
			return before !== null && after !== null && isMadeBy(changes, before, after);
		},
	},
	'brand-schedule-guarded': {
		preview: ({ host, at, changes }, parts) => {
			const atMs = futureOf(at);
			return previewOf(ownBrandOf(parts, host), changes, ` at ${isoTime(atMs)}`);
		},
		// Scheduled twice, a change that is withdrawn would be made nevertheless.
		isDone: async ({ host, at, changes }, { schedules }) =>
			(await schedules.of(host)).some(
				(row) =>
					row.state !== 'WITHDRAWN' &&
					row.at === Date.parse(at) &&
					canonicalJson(row.changes) === canonicalJson(changes),
			),
	},
};
