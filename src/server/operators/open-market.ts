/**
 * A market that no feed opens: an operator gives its type, runners and terms. The operator also suspends it, turns it
 * in-play, closes and settles it, because no feed knows its subject.
 */
import type * as v from 'valibot';
import type { openMarket as openMarketCall } from '#contract/operators/markets.ts';
import { MARKET_TYPE_NAMES, marketType } from '#engine/market-types/all-market-types.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { fixtureOf, stateOf } from '#server/operators/named-market.ts';
import { homeLimits } from '#server/operators/stated-limits.ts';
import { marketPools } from '#server/world/markets/market-pools.ts';
import type { OperatorMarket } from '#server/world/markets/markets.ts';
import { mayCross } from '#server/world/markets/open-market.ts';
import { Refused } from '#values/error-catalogue.ts';
import { commonCurrency, type Pool } from '#values/pools.ts';

/** Market types against the house are left out, because a feed would have to quote them. */
const TYPES = MARKET_TYPE_NAMES.filter((name) => marketType(name).model === 'EXCHANGE');
const MOST_LINES = 1000;

type Input = v.InferOutput<typeof openMarketCall.input>;

/** The fields that each type needs, with the message for each; other types need two runners or more. */
function missing(input: Input): string | null {
	const { type, runners, places = 0, divisor, handicap, lines, startingPrice, crossMatching } = input;
	const isPlaced = type === 'PLACE' || type === 'EACH_WAY';
	const isLevelled = type === 'OVER_UNDER' || type === 'ASIAN_HANDICAP';
	if (crossMatching && !mayCross(type))
		return 'Bets are matched across runners only where one of them wins and none can be removed.';
	if (crossMatching && startingPrice) return 'A market that matches across runners has no starting prices.';
	if (type === 'LINE') {
		if (startingPrice) return 'A line market has no starting prices.';
		if (!lines || runners.length !== 1) return 'A line market has one runner, what is counted, and lines.';
		const { min, max, interval } = lines;
		const count = (max - min) / interval + 1;
		return count > 1 && count <= MOST_LINES && Number.isInteger(count)
			? null
			: 'The interval leads from the first line to the last.';
	}
	if (lines) return 'Only a line market has lines.';
	if (runners.length < 2) return 'A market has two runners or more.';
	if (isPlaced !== places > 0) return isPlaced ? 'Say how many places are paid.' : 'This type has no places.';
	if (places >= runners.length) return 'There are more runners than places.';
	if ((type === 'EACH_WAY') !== (divisor !== undefined)) return 'An each-way market, and no other, has a divisor.';
	if (type === 'EACH_WAY' && places < 2) return 'An each-way market pays two places or more.';
	if (startingPrice && type === 'EACH_WAY') return 'An each-way market has no starting prices.';
	if (isLevelled !== (handicap !== undefined)) return 'A handicap belongs to over/under and Asian handicap markets.';
	if (isLevelled && runners.length !== 2) return 'This type has two runners.';
	return type === 'DOUBLE_CHANCE' && runners.length !== 3 ? 'Double chance has three runners.' : null;
}

/** @param pools in which it opens */
function marketOf(input: Input, pools: readonly Pool[]): OperatorMarket {
	const { name, type, runners, places, divisor, handicap, lines, startingPrice, crossMatching } = input;
	const { commission, minStake, maxStake, currency = commonCurrency(pools) } = input;
	return {
		name,
		type,
		runners: runners.map((runner, at) => ({ id: String(at + 1), name: runner })),
		betDelaySeconds: input.delaySeconds,
		rules: input.rules,
		...(places === undefined ? {} : { places }),
		...(divisor === undefined ? {} : { eachWayDivisor: divisor }),
		...(startingPrice ? { startingPrice } : {}),
		...(crossMatching ? { crossMatching } : {}),
		...(handicap === undefined ? {} : { handicapQuarters: handicap * 4 }),
		...(lines === undefined ? {} : { lineRange: lines }),
		...(commission === undefined ? {} : { commissionBp: Math.round(commission * 100) }),
		...homeLimits(currency, { minStake, maxStake }),
	};
}

/** The message that tells an operator what is wrong. */
const wrong = (sentence: string): Refused => new Refused('VALIDATION_FAILED', {}, sentence);

/** @throws Refused UNKNOWN_FIXTURE, WRONG_MARKET_STATE; VALIDATION_FAILED with what is wrong */
export async function openMarket(input: Input, { fixtures, exchange, markets }: OperatorOptions) {
	const fixture = fixtureOf({ fixtures }, input.eventId);
	if (fixture.status === 'FINISHED' || fixture.status === 'ABANDONED') throw new Refused('WRONG_MARKET_STATE');
	const { name, type, runners, minStake, maxStake } = input;
	const isSame = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();
	if (!TYPES.includes(type)) throw wrong(`A type is one of ${TYPES.join(', ')}.`);
	if (
		fixtures
			.markets(fixture.id)
			.map((market) => market.name)
			.some(isSame(name))
	)
		throw wrong('The event has a market of that name.');
	if (runners.some((runner, at) => runners.slice(0, at).some(isSame(runner))))
		throw wrong('Two runners have the same name.');
	if (minStake !== undefined && maxStake !== undefined && minStake > maxStake)
		throw wrong('The smallest stake is above the largest.');
	const sentence = missing(input);
	if (sentence) throw wrong(sentence);
	const listing = await markets.open(fixture, marketOf(input, marketPools(exchange)));
	return stateOf({ exchange }, listing);
}
