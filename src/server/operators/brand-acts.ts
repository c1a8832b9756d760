/** Acts on the settings of brands, as the console shows them. */
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { type Act, act, type OperatorOptions } from '#server/operators/act.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { settingChange } from '#server/world/brands/setting-change.ts';
import { Refused } from '#values/error-catalogue.ts';

/** What one member changes alone: looks, words and parts of the site. Everything else may move money or send it elsewhere. */
const ALONE: ReadonlySet<string> = new Set([
	'domainTitle',
	'favicon',
	'description',
	'allowSignUp',
	'visitorsMayLook',
	'startsWithCrash',
	'showSupportLink',
	'mainLogo',
	'mainLogoLight',
	'authBackgroundImage',
	'authLogoImage',
	'authLogoImageLight',
	'siteSuspended',
	'football',
	'tennis',
	'cricket',
	'kabaddi',
	'horseRacing',
	'trade',
	'locale',
	'languages',
	'defaultLanguage',
	'theme',
	'themeTokens',
	'news',
	'slides',
	'welcome',
	'defaultStakes',
]);

/** Changes that a brand's page lists. */
const MOST_CHANGES = 100;

interface Change {
	seq: number;
	at: number;
	actor: string;
	details: { field?: string };
	before: Record<string, unknown> | null;
	after: Record<string, unknown> | null;
}

function brandOf({ brands }: OperatorOptions, host: string): Brand {
	const brand = brands.byName(host);
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}

/** The name of a setting's field without the part of it. */
const nameOf = (field: string): string => field.split('.')[0] ?? '';

async function changesOf({ db }: OperatorOptions, host: string, seq: number | null): Promise<Change[]> {
	const { rows } = await db.query<Change>(
		`select seq, at, actor, details, before, after from journal
		 where subject = $1 and act in ('brand-set', 'brand-set-guarded', 'brand-roll-back', 'domain-set') and outcome = 'done'
		   and ($2::bigint is null or seq = $2)
		 order by seq desc limit ${MOST_CHANGES}`,
		[`domain ${host}`, seq],
	);
	return rows;
}

/** The name of the field that a change set. */
const fieldOf = ({ details }: Change): string => nameOf(details.field ?? '');

/** Changes one field of a brand. */
export async function setField(parts: OperatorOptions, host: string, field: string, value: string) {
	const { setting } = await parts.brands.change(host, field, value);
	const name = nameOf(field);
	return { field: name, value: setting[name as keyof typeof setting], version: setting.version };
}

export const BRAND_ACTS: Record<string, Act> = {
	'brand-list': act({
		...OPERATOR_CALLS['brand-list'],
		run: (_, parts, { member }) =>
			visibleBrands(parts, member).map(({ host, setting }) => {
				const { domainTitle: title, theme, pool, allowSignUp, siteSuspended, version } = setting;
				return { host, title, theme, pool, allowSignUp, siteSuspended, version };
			}),
	}),
	'brand-show': act({
		...OPERATOR_CALLS['brand-show'],
		run: async ({ host }, parts) => {
			const { setting } = brandOf(parts, host);
			const changes = await changesOf(parts, host, null);
			return {
				setting: { ...setting },
				history: changes.map((change) => {
					const field = fieldOf(change);
					return {
						seq: change.seq,
						at: isoTime(change.at),
						actor: change.actor,
						field,
						before: change.before?.[field] ?? null,
						after: change.after?.[field] ?? null,
					};
				}),
			};
		},
	}),
	'brand-set': act({
		...OPERATOR_CALLS['brand-set'],
		run: ({ host, field, value }, parts) => {
			if (!ALONE.has(nameOf(field))) throw new Refused('SAME_PERSON', { field });
			return setField(parts, host, field, value);
		},
	}),
	'brand-set-guarded': act({
		...OPERATOR_CALLS['brand-set-guarded'],
		run: ({ host, field, value }, parts) => setField(parts, host, field, value),
		preview: ({ host, field, value }, parts) => {
			const { setting } = brandOf(parts, host);
			// An invalid value is refused when it is proposed, and not only when another member confirms it.
			settingChange(setting, field, value);
			const name = nameOf(field);
			const before = JSON.stringify(setting[name as keyof typeof setting] ?? null);
			const summary = [`${name} of ${host} is ${before}.`, `${field} becomes ${value}.`];
			return { summary, lines: [], total: 0, sums: [], basis: `${before} ${field} ${value}` };
		},
	}),
	'brand-roll-back': act({
		...OPERATOR_CALLS['brand-roll-back'],
		run: async ({ host, seq, field }, parts) => {
			const [change] = await changesOf(parts, host, seq);
			if (!change?.before || fieldOf(change) !== field) throw new Refused('NOT_FOUND');
			if (!ALONE.has(field)) throw new Refused('SAME_PERSON', { field });
			const value = change.before[field];
			return await setField(parts, host, field, typeof value === 'string' ? value : JSON.stringify(value));
		},
	}),
};
