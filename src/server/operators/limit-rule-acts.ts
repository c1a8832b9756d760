/** Rules by which limits of markets tighten. */
import type * as v from 'valibot';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import { MARKET_TYPE_NAMES } from '#engine/market-types/all-market-types.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import type { LimitRule, RuleAbout } from '#server/operators/limit-rules/limit-rules.ts';
import { previewOf } from '#server/operators/result-previews.ts';
import { checkWholeCoins } from '#server/operators/stated-limits.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { limitIn } from '#values/currencies.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { LimitStep, MarketLimits } from '#values/limit-steps.ts';
import { majorFromMinor } from '#values/money.ts';
import { moneyText } from '#values/money-text.ts';
import { currencyOf } from '#values/pools.ts';

type Asked = v.InferOutput<OperatorCalls['limit-rule-set']['input']>;

const aboutOf = ({ sport, marketType, brand, pool, watches }: Asked): RuleAbout => ({
	sport: sport ?? '',
	marketType: marketType ?? '',
	brand: brand ?? '',
	pool,
	watches,
});
const ruleOf = ({ relaxPercent, steps }: Asked): Pick<LimitRule, 'relaxPercent' | 'steps'> | null =>
	steps.length === 0 ? null : { relaxPercent, steps };

/**
 * @throws Refused VALIDATION_FAILED for an unknown type, for amounts of parts of a coin, and for a brand of another
 * currency than the pool's; UNKNOWN_DOMAIN
 */
function checkAsked({ marketType, brand, pool, steps }: Asked, { brands }: OperatorOptions): void {
	const currency = currencyOf(pool);
	const amounts = steps.flatMap(({ from, maxStake, maxExposure }) => [from, maxStake, maxExposure ?? 0]);
	checkWholeCoins(currency, amounts);
	if (marketType !== undefined && !MARKET_TYPE_NAMES.includes(marketType))
		throw new Refused('VALIDATION_FAILED', {}, `A type is one of ${MARKET_TYPE_NAMES.join(', ')}.`);
	if (brand === undefined) return;
	const named = brands.byName(brand);
	if (!named) throw new Refused('UNKNOWN_DOMAIN');
	const ofBrand = currencyOf(named.pool);
	if (ofBrand !== currency) throw new Refused('VALIDATION_FAILED', {}, `Players of ${brand} have ${ofBrand}.`);
}

const stepView = ({ from, maxStake, maxExposure }: LimitStep) => ({
	from: majorFromMinor(from),
	maxStake: majorFromMinor(maxStake),
	maxExposure: maxExposure === null ? null : majorFromMinor(maxExposure),
});

/** @param limits in the home currency */
const limitsView = (currency: Currency, { maxStake, maxExposure }: MarketLimits) => ({
	maxStake: majorFromMinor(limitIn(currency, maxStake)),
	maxExposure: majorFromMinor(limitIn(currency, maxExposure)),
});

/** A step as a sentence. */
function inWords(currency: Currency, { from, maxStake, maxExposure }: LimitStep): string {
	const said = (minor: number): string => moneyText(currency, minor);
	const exposure = maxExposure === null ? '' : `, a player risks ${said(maxExposure)} at most`;
	return `From ${said(from)} on, a bet stakes ${said(maxStake)} at most${exposure}.`;
}

const WATCHED = {
	HOUSE: 'what the house can lose in a market',
	PLAYER: 'the largest loss of one player in a market',
} as const;

function summaryOf(asked: Asked, earlier: LimitRule | null): string[] {
	const { sport = 'every sport', marketType = 'every type', brand = 'all brands', pool, watches, relaxPercent } = asked;
	const about = `${sport}, ${marketType}, ${pool} money, players of ${brand}`;
	const rule = ruleOf(asked);
	const said = (step: LimitStep): string => inWords(currencyOf(pool), step);
	return [
		rule ? `The rule watches ${WATCHED[watches]}: ${about}.` : `There is no rule any more: ${about}.`,
		...(rule?.steps ?? []).map(said),
		...(rule ? [`A step ends below ${relaxPercent} % of where it begins.`] : []),
		...(earlier ? [`Before: ${earlier.steps.map(said).join(' ')}`] : []),
	];
}

export const LIMIT_RULE_ACTS: ActsOf<'limit-rules' | 'limit-rule-set'> = {
	'limit-rules': async (_, { limitRules, limitWatch, fixtures, brands }) => {
		const tightened = await limitWatch.tightened();
		const named = await fixtures.named(tightened.map(({ marketId }) => marketId));
		const textOrAll = (text: string) => (text === '' ? null : text);
		return {
			rules: (await limitRules.all()).map(({ sport, marketType, brand, pool, watches, relaxPercent, steps }) => ({
				sport: textOrAll(sport),
				marketType: textOrAll(marketType),
				brand: textOrAll(brand),
				pool,
				currency: currencyOf(pool),
				watches,
				relaxPercent,
				steps: steps.map(stepView),
			})),
			tightened: tightened.map(({ marketId, brand, base, set, reached, waived, atMs }) => {
				const about = named.get(marketId);
				const ofBrand = brands.byName(brand);
				const currency = ofBrand ? currencyOf(ofBrand.pool) : HOME_CURRENCY;
				return {
					marketId: String(marketId),
					market: about?.listing.name ?? '',
					eventId: String(about?.fixture.id ?? ''),
					event: about?.fixture.title ?? '',
					brand: textOrAll(brand),
					currency,
					base: limitsView(currency, base),
					now: limitsView(currency, set),
					steps: reached.length,
					isOverruled: waived.length === reached.length,
					at: isoTime(atMs),
				};
			}),
		};
	},
	'limit-rule-set': async (asked, parts) => {
		checkAsked(asked, parts);
		await parts.limitRules.set(aboutOf(asked), ruleOf(asked));
		parts.limitWatch.lookAtAll();
		return { rules: (await parts.limitRules.all()).length };
	},
};

export const LIMIT_RULE_PREVIEWS: PreviewsOf<'limit-rule-set'> = {
	'limit-rule-set': {
		preview: async (asked, parts) => {
			checkAsked(asked, parts);
			const earlier = await parts.limitRules.find(aboutOf(asked));
			return await previewOf(summaryOf(asked, earlier), [], [subjectOf(aboutOf(asked)), earlier?.ruleId ?? null]);
		},
		isDone: async (asked, { limitRules }) => {
			const found = await limitRules.find(aboutOf(asked));
			const stands = found && { relaxPercent: found.relaxPercent, steps: found.steps };
			return canonicalJson(stands) === canonicalJson(ruleOf(asked));
		},
	},
};
