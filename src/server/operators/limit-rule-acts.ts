/** Rules by which limits of markets tighten. */
import type * as v from 'valibot';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import { MARKET_TYPE_NAMES } from '#engine/market-types/all-market-types.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import type { LimitRule, RuleAbout } from '#server/operators/limit-rules/limit-rules.ts';
import { previewOf } from '#server/operators/result-previews.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { LimitStep, MarketLimits } from '#values/limit-steps.ts';
import { majorFromMinor } from '#values/money.ts';

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

/** @throws Refused VALIDATION_FAILED for an unknown type, UNKNOWN_DOMAIN */
function checkAsked({ marketType, brand }: Asked, { brands }: OperatorOptions): void {
	if (marketType !== undefined && !MARKET_TYPE_NAMES.includes(marketType))
		throw new Refused('VALIDATION_FAILED', {}, `A type is one of ${MARKET_TYPE_NAMES.join(', ')}.`);
	if (brand !== undefined && !brands.byName(brand)) throw new Refused('UNKNOWN_DOMAIN');
}

const stepView = ({ from, maxStake, maxExposure }: LimitStep) => ({
	from: majorFromMinor(from),
	maxStake: majorFromMinor(maxStake),
	maxExposure: maxExposure === null ? null : majorFromMinor(maxExposure),
});

const limitsView = ({ maxStake, maxExposure }: MarketLimits) => ({
	maxStake: majorFromMinor(maxStake),
	maxExposure: majorFromMinor(maxExposure),
});

/** A step as a sentence. */
function inWords(step: LimitStep): string {
	const { from, maxStake, maxExposure } = stepView(step);
	const exposure = maxExposure === null ? '' : `, a player risks ${maxExposure} at most`;
	return `From ${from} on, a bet stakes ${maxStake} at most${exposure}.`;
}

const WATCHED = {
	HOUSE: 'what the house can lose in a market',
	PLAYER: 'the largest loss of one player in a market',
} as const;

function summaryOf(asked: Asked, earlier: LimitRule | null): string[] {
	const { sport = 'every sport', marketType = 'every type', brand = 'all brands', pool, watches, relaxPercent } = asked;
	const about = `${sport}, ${marketType}, ${pool} money, players of ${brand}`;
	const rule = ruleOf(asked);
	return [
		rule ? `The rule watches ${WATCHED[watches]}: ${about}.` : `There is no rule any more: ${about}.`,
		...(rule?.steps ?? []).map(inWords),
		...(rule ? [`A step ends below ${relaxPercent} % of where it begins.`] : []),
		...(earlier ? [`Before: ${earlier.steps.map(inWords).join(' ')}`] : []),
	];
}

export const LIMIT_RULE_ACTS: ActsOf<'limit-rules' | 'limit-rule-set'> = {
	'limit-rules': async (_, { limitRules, limitWatch, fixtures }) => {
		const tightened = await limitWatch.tightened();
		const named = await fixtures.named(tightened.map(({ marketId }) => marketId));
		const textOrAll = (text: string) => (text === '' ? null : text);
		return {
			rules: (await limitRules.all()).map(({ sport, marketType, brand, pool, watches, relaxPercent, steps }) => ({
				sport: textOrAll(sport),
				marketType: textOrAll(marketType),
				brand: textOrAll(brand),
				pool,
				watches,
				relaxPercent,
				steps: steps.map(stepView),
			})),
			tightened: tightened.map(({ marketId, brand, base, set, reached, waived, atMs }) => {
				const about = named.get(marketId);
				return {
					marketId: String(marketId),
					market: about?.listing.name ?? '',
					eventId: String(about?.fixture.id ?? ''),
					event: about?.fixture.title ?? '',
					brand: textOrAll(brand),
					base: limitsView(base),
					now: limitsView(set),
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
