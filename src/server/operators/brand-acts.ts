/** Acts on the settings of brands, as the console shows them. */

import * as v from 'valibot';
import { LARGEST_BRAND_PICTURE_BYTES, PICTURE_SIDES } from '#contract/brand-picture.ts';
import { DomainSetting } from '#contract/domain-setting.ts';
import { type brandAdd, SPORT_FIELDS } from '#contract/operators/brands.ts';
import { namesInJournal } from '#contract/operators/registry.ts';
import { rulesAt } from '#contract/rules-at.ts';
import { type FieldText, settingChange, textOf } from '#contract/setting-change.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { checkAlone, isMadeBy } from '#server/operators/brand-change-acts.ts';
import { SCHEDULED_CHANGE } from '#server/operators/brand-schedules.ts';
import { brandOf } from '#server/operators/named-brand.ts';
import { realMoneyReadiness } from '#server/operators/real-money-readiness.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import { type Brand, takesRealMoney } from '#server/world/brands/brands.ts';
import { withChoice } from '#server/world/brands/dated-choice.ts';
import { datedRules } from '#server/world/brands/dated-rules.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { Refused } from '#values/error-catalogue.ts';
import { kindOf } from '#values/pools.ts';

const CHANGES = [
	'brand-set',
	'brand-set-guarded',
	'brand-roll-back',
	'brand-picture',
	'brand-picture-remove',
	'brand-change',
	'brand-change-guarded',
	SCHEDULED_CHANGE,
].flatMap(namesInJournal);
/** The fields that a new brand may take over from another: what it asks of players, and no looks, addresses or bonuses. */
const RULES = [
	'allowSignUp',
	'skipVerification',
	'oneAccountPerMobile',
	'visitorsMayLook',
	'betsPerSecond',
	'maxOpenBets',
	'lapseBetsOnSuspension',
	'autoBet',
	'defaultStakes',
	'signUpCoins',
	'dailyCoins',
	'funds',
	'playerProtection',
	'referral',
] as const satisfies readonly (keyof DomainSetting)[];
/** The time in which an upload is decoded, waiting included. */
const CLEAN_WITHIN_MS = 10_000;
/** Changes that a brand's page lists. */
const MOST_CHANGES = 100;

interface Change {
	seq: number;
	at: number;
	actor: string;
	details: { field?: string; changes?: readonly FieldText[]; by?: string };
	before: Record<string, unknown> | null;
	after: Record<string, unknown> | null;
	outcome: 'done' | 'INTERRUPTED';
}

/** The name of a setting's field without the part of it. */
const nameOf = (field: string): string => field.split('.')[0] ?? '';

async function changesOf({ db }: OperatorOptions, host: string, seq: number | null): Promise<Change[]> {
	const { rows } = await db.query<Change>(
		`select seq, at, actor, details, before, after, outcome from journal
		 where subject = $1 and act = any ($3) and outcome in ('done', 'INTERRUPTED') and ($2::bigint is null or seq = $2)
		 order by seq desc limit ${MOST_CHANGES}`,
		[`domain ${host}`, seq, CHANGES],
	);
	return rows;
}

/**
 * The names of the fields that a change set. Of an act that a kill interrupted these are the fields that had another value
 * after it: the others it had not set yet, or not at all.
 */
function fieldsOfChange({ details: { field, changes = [] }, before, after, outcome }: Change): string[] {
	const fields = [...(field === undefined ? [] : [field]), ...changes.map((change) => change.field)];
	const names = [...new Set(fields.map(nameOf))];
	const valueIn = (standing: Change['before'], name: string) => canonicalJson(standing?.[name] ?? null);
	return outcome === 'done' ? names : names.filter((name) => valueIn(before, name) !== valueIn(after, name));
}

/** Changes one field of a brand. */
async function setField(parts: OperatorOptions, host: string, field: string, value: string) {
	const { setting } = await parts.brands.change(host, [{ field, value }]);
	return fieldNow(setting, field);
}

function fieldNow(setting: DomainSetting, field: string) {
	const name = nameOf(field);
	return { host: setting.domain, field: name, value: setting[name as keyof typeof setting], version: setting.version };
}

export const BRAND_ACTS: ActsOf<
	| 'brand-list'
	| 'brand-show'
	| 'brand-set'
	| 'brand-set-guarded'
	| 'brand-roll-back'
	| 'brand-picture'
	| 'brand-picture-remove'
	| 'brand-add'
	| 'brand-make-real'
	| 'brand-profile'
	| 'brand-terms'
	| 'real-money-readiness'
	| 'create-client'
> = {
	'brand-list': (_, parts, { member }) =>
		visibleBrands(parts, member).map(({ host, setting }) => {
			const { domainTitle: title, theme, pool, allowSignUp, siteSuspended, version } = setting;
			return { host, title, theme, pool, allowSignUp, siteSuspended, version };
		}),
	'brand-show': async ({ host }, parts) => {
		const { setting } = brandOf(parts, host);
		const changes = await changesOf(parts, host, null);
		return {
			setting: { ...setting },
			history: changes.flatMap((change) =>
				fieldsOfChange(change).map((field) => ({
					seq: change.seq,
					at: isoTime(change.at),
					actor: change.details.by ?? change.actor,
					field,
					before: change.before?.[field] ?? null,
					after: change.after?.[field] ?? null,
					isInterrupted: change.outcome === 'INTERRUPTED',
				})),
			),
		};
	},
	'brand-set': ({ host, field, value }, parts, { member }) => {
		checkAlone(member, [field]);
		return setField(parts, host, field, value);
	},
	'brand-set-guarded': ({ host, field, value }, parts) => setField(parts, host, field, value),
	'brand-roll-back': async ({ host, seq, field }, parts, { member }) => {
		const [change] = await changesOf(parts, host, seq);
		if (!change?.before || !fieldsOfChange(change).includes(field)) throw new Refused('NOT_FOUND');
		checkAlone(member, [field]);
		const { setting } = brandOf(parts, host);
		const isLatest = canonicalJson(setting[field as keyof DomainSetting]) === canonicalJson(change.after?.[field]);
		if (!isLatest)
			throw new Refused('WRONG_STATE', { field }, 'A later change has set the field since. Compare versions.');
		const value = textOf(change.before[field]);
		const { setting: changed } = await parts.brands.change(host, [{ field, value }], setting.version);
		return fieldNow(changed, field);
	},
	'brand-picture': async ({ host, field, image }, parts) => {
		if (!parts.brands.byHost(host)) throw new Refused('UNKNOWN_DOMAIN');
		const untilMs = performance.now() + CLEAN_WITHIN_MS;
		const picture = await parts.funds.media.clean(Buffer.from(image, 'base64'), untilMs, PICTURE_SIDES[field]);
		if (picture.bytes.length > LARGEST_BRAND_PICTURE_BYTES) throw new Refused('IMAGE_TOO_LARGE');
		if (field === 'favicon' && picture.width !== picture.height)
			throw new Refused('VALIDATION_FAILED', {}, 'The icon is a square.');
		const { setting } = await parts.brands.changePicture(host, field, picture);
		return fieldNow(setting, field);
	},
	'brand-picture-remove': ({ host, field }, parts) => {
		const ofSite = v.getDefault(DomainSetting.entries[field]) ?? '';
		return setField(parts, host, field, ofSite);
	},
	'brand-add': async (asked, parts) => {
		const added = await parts.brands.add(asked.host, firstSettings(parts, asked), asked.currency);
		return { host: added.host, version: added.setting.version };
	},
	'real-money-readiness': async ({ host }, parts) => {
		const brand = brandOf(parts, host);
		const items = await realMoneyReadiness(parts, brand);
		const isOpen = takesRealMoney(brand);
		return { host, pool: brand.pool, isOpen, isReady: !isOpen && items.every(({ isSet }) => isSet), items };
	},
	'brand-make-real': async ({ host }, parts) => {
		await checkReady(parts, brandOf(parts, host));
		const { setting } = await parts.brands.makeReal(host);
		return { host, pool: setting.pool, version: setting.version };
	},
	'brand-profile': async ({ host, profile, from }, { brands, exchange }) => {
		const { setting } = await brands.chooseProfile(host, { profile, fromMs: Date.parse(from) }, exchange.now());
		return { host, profiles: setting.profiles, version: setting.version };
	},
	'brand-terms': async ({ host, ...texts }, { brands, exchange }) => {
		const { setting } = await brands.announceTerms(host, texts, exchange.now());
		return { host, legalTexts: setting.legalTexts, version: setting.version };
	},
	'create-client': async ({ name, redirectUri, host, endsWithLogin }, { players, brands }) => {
		if (!brands.byHost(host)) throw new Refused('UNKNOWN_DOMAIN');
		const client = await players.createClient(name, host, redirectUri, endsWithLogin);
		return { name, host, redirectUri, endsWithLogin, ...client };
	},
};

/** Without the payee: players of another brand, and of play money, never pay to that account. */
function rulesIn({ funds, ...setting }: DomainSetting) {
	const { payeeName: _, payeeUpiId: __, ...ofFunds } = funds;
	return { ...setting, funds: ofFunds };
}

/** What a new brand sets itself. @throws Refused UNKNOWN_DOMAIN; VALIDATION_FAILED for the rules of another currency */
function firstSettings(
	parts: OperatorOptions,
	{ title, languages, sports, rulesOf, currency }: v.InferOutput<typeof brandAdd.input>,
): FieldText[] {
	const set = (field: string, value: unknown): FieldText[] =>
		value === undefined ? [] : [{ field, value: textOf(value) }];
	const ruling = rulesOf === undefined ? null : brandOf(parts, rulesOf).setting;
	if (ruling && ruling.currency !== currency)
		throw new Refused('VALIDATION_FAILED', {}, `The amounts of ${ruling.domain} are in ${ruling.currency}.`);
	const rules = ruling && rulesIn(ruling);
	return [
		...RULES.flatMap((field) => set(field, rules?.[field])),
		...set('domainTitle', title),
		...set('languages', languages),
		...set('defaultLanguage', languages?.[0]),
		...(sports ? SPORT_FIELDS.flatMap((sport) => set(sport, sports.includes(sport))) : []),
	];
}

/** @throws Refused WRONG_STATE for a brand that takes real money already; REAL_MONEY_NOT_READY with what is missing */
async function checkReady(parts: OperatorOptions, brand: Brand): Promise<void> {
	if (takesRealMoney(brand)) throw new Refused('WRONG_STATE', { pool: brand.pool });
	const missing = (await realMoneyReadiness(parts, brand)).filter(({ isSet }) => !isSet);
	if (missing.length === 0) return;
	const items = missing.map(({ item }) => item);
	throw new Refused('REAL_MONEY_NOT_READY', { missing: items }, missing.map(({ needs }) => needs).join(' '));
}

export const BRAND_PREVIEWS: PreviewsOf<'brand-set-guarded' | 'brand-make-real' | 'brand-profile' | 'brand-terms'> = {
	'brand-terms': {
		preview: ({ host, ...texts }, parts) => {
			const { setting } = brandOf(parts, host);
			withChoice(setting.legalTexts, texts, parts.exchange.now());
			const before = setting.legalTexts.at(-1);
			const summary = [
				`The terms ${texts.terms} and the privacy policy ${texts.privacy} hold on ${host} from ${isoTime(Date.parse(texts.from))} on.`,
				before
					? `The ones before are ${before.terms} and ${before.privacy}. Players accept what is new to them before they play.`
					: 'There were none before. Players accept them before they play, where the profile says so.',
			];
			return { summary, lines: [], total: 0, sums: [], basis: JSON.stringify([host, setting.legalTexts, texts]) };
		},
		isDone: ({ host, terms, privacy, from }, parts) =>
			brandOf(parts, host).setting.legalTexts.some(
				(one) => one.terms === terms && one.privacy === privacy && Date.parse(one.from) === Date.parse(from),
			),
	},
	'brand-profile': {
		preview: ({ host, profile, from }, parts) => {
			const { pool, setting } = brandOf(parts, host);
			const fromMs = Date.parse(from);
			const profiles = withChoice(setting.profiles, { profile, from }, parts.exchange.now());
			const rules = rulesAt({ rules: datedRules(profiles) }, () => fromMs);
			const later = setting.profiles.filter((one) => !profiles.some((kept) => kept.from === one.from));
			const summary = [
				`The profile ${profile} holds on ${host} from ${isoTime(fromMs)} on.`,
				...later.map((one) => `The profile ${one.profile}, which was to hold from ${one.from} on, does not.`),
				...(rules.pools.includes(kindOf(pool))
					? []
					: [`It does not allow ${pool}: deposits, bets and rounds are refused.`]),
			];
			return { summary, lines: [], total: 0, sums: [], basis: JSON.stringify([host, setting.profiles, profiles]) };
		},
		isDone: ({ host, profile, from }, parts) =>
			brandOf(parts, host).setting.profiles.some(
				(one) => one.profile === profile && Date.parse(one.from) === Date.parse(from),
			),
	},
	'brand-make-real': {
		preview: async ({ host }, parts) => {
			const brand = brandOf(parts, host);
			await checkReady(parts, brand);
			const { licence, countries, terms, leastAge } = brand.setting.realMoney;
			const summary = [
				`${host} takes real money from now on, and never play money again.`,
				`Licence ${licence}; players from ${countries.join(', ')}, from the age of ${leastAge}; terms at ${terms}.`,
			];
			// A change of the setting between the two persons is another proposal.
			return { summary, lines: [], total: 0, sums: [], basis: `${host} ${brand.setting.version}` };
		},
		isDone: ({ host }, parts) => takesRealMoney(brandOf(parts, host)),
	},
	'brand-set-guarded': {
		preview: ({ host, field, value }, parts) => {
			const { setting } = brandOf(parts, host);
			// An invalid value is refused when it is proposed, and not only when another member confirms it.
			settingChange(setting, [{ field, value }]);
			const name = nameOf(field);
			const before = JSON.stringify(setting[name as keyof typeof setting] ?? null);
			const summary = [`${name} of ${host} is ${before}.`, `${field} becomes ${value}.`];
			return { summary, lines: [], total: 0, sums: [], basis: `${before} ${field} ${value}` };
		},
		// The present value tells, because the act sees no version. A value that another act has set leaves nothing to do.
		isDone: ({ host, field, value }, parts) => {
			const { setting } = brandOf(parts, host);
			return isMadeBy([{ field, value }], setting, setting);
		},
	},
};
