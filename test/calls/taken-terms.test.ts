/** What a bet may ask beyond price and stake: the slip offers what the exchange takes, in every kind of market. */
import { beforeAll, describe, expect, it } from 'vitest';
import { MARKET_TYPE_NAMES, marketType } from '#engine/market-types/all-market-types.ts';
import { mayCross, type NewMarket } from '#server/world/markets/open-market.ts';
import { ON_A_LINE, RISING } from '#values/figures.ts';
import type { Market } from '#web/api/answers.ts';
import { askedSide, BET_WHENS } from '#web/betting/selection.ts';
import { TERM_OF_OPTION, takenTerms } from '#web/betting/taken-terms.ts';
import { freshRequestId, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
});

const RUNNERS = ['One', 'Two', 'Three', 'Four'].map((name, at) => ({ id: String(at + 1), name }));
/** 40 to 60 by ones. */
const LINES = { min: 4000, max: 6000, interval: 100 };

/** What a type needs to be listed. */
function shapeOf(type: string): Partial<NewMarket> {
	if (type === 'EACH_WAY') return { places: 2, eachWayDivisor: 4 };
	if (type === 'PLACE') return { places: 2 };
	if (type === 'ASIAN_HANDICAP') return { runners: RUNNERS.slice(0, 2), handicapQuarters: -2 };
	const winners = marketType(type).winners({ runners: RUNNERS.length, lineRange: LINES });
	if (winners === ON_A_LINE) return { runners: RUNNERS.slice(0, 1), lineRange: LINES };
	return winners === RISING ? { lines: RUNNERS.map(({ id }) => Number(id)) } : {};
}

/** Every type as it is listed, and what may come on top: prices across runners, starting prices. */
const KINDS = MARKET_TYPE_NAMES.flatMap((type): [name: string, market: Partial<NewMarket>][] => {
	const plain = { type, ...shapeOf(type) };
	const canStart = marketType(type).model === 'EXCHANGE' && !['EACH_WAY', 'LINE'].includes(type);
	const crossing: [string, Partial<NewMarket>] = [`${type} across runners`, { ...plain, crossMatching: true }];
	const starting: [string, Partial<NewMarket>] = [`${type} with starting prices`, { ...plain, startingPrice: true }];
	return [[type, plain], ...(mayCross(type) ? [crossing] : []), ...(canStart ? [starting] : [])];
});

const OPTIONS = {
	postOnly: { postOnly: 'REFUSE' },
	goodFor: { goodForSeconds: 60 },
	goodUntilMatched: { goodUntilMatched: 1_000 },
} as const satisfies Record<keyof typeof TERM_OF_OPTION, object>;

const PLANS = {
	ICEBERG: { kind: 'ICEBERG', visible: 50 },
	PEG: { kind: 'PEG', ticks: 1 },
	BRACKET: { kind: 'BRACKET', profitTicks: 2, stopTicks: 2 },
} as const;

it.each([
	['a plain market', {}, ['postOnly', 'goodFor', 'goodUntilMatched'], 'ICEBERG PEG BRACKET'],
	['one that matches across runners', { crossMatching: true }, ['goodFor', 'goodUntilMatched'], ''],
	['lines', { lineRange: {} }, ['postOnly', 'goodFor', 'goodUntilMatched'], 'ICEBERG'],
	['each way', { eachWayDivisor: 4 }, ['postOnly', 'goodFor', 'goodUntilMatched'], 'ICEBERG PEG'],
])('of %s the slip offers these terms and plans', (_, terms, options, plans) => {
	const offered = takenTerms({ bettingModel: 'EXCHANGE', ...terms } as Market, false);
	expect(offered.options).toEqual(options);
	expect(offered.whens.join(' ')).toBe(` RISES FALLS TRAILS_RISE TRAILS_FALL ${plans}`.trimEnd());
});

it('the slip offers none of them against the house, and none while it does not know the market', () => {
	for (const market of [undefined, { bettingModel: 'BOOKMAKER' }, { bettingModel: 'FANCY' }])
		expect(takenTerms(market as Market | undefined, false)).toEqual({ keeps: true, options: [], whens: [''] });
});

it('the slip offers the starting price until it is found or the play begins', () => {
	const whens = (startingPrice: 'AHEAD' | 'FOUND', inPlay: boolean) =>
		takenTerms({ bettingModel: 'EXCHANGE', startingPrice }, inPlay).whens;
	expect(whens('AHEAD', false)).toContain('START');
	for (const isGone of [whens('FOUND', false), whens('AHEAD', true)]) expect(isGone).not.toContain('START');
});

describe.each(KINDS)('%s', (name, kind) => {
	it('is offered in the slip exactly what the exchange takes', async () => {
		const { listing } = await openMarketOf(server, match, {
			runners: RUNNERS,
			betDelaySeconds: 0,
			rules: 'By hand.',
			...kind,
			name,
		} as NewMarket);
		const { token } = await server.demoPlayer();
		const { markets } = await server.result('getMarketsByEventId', { eventId: match.eventId }, token);
		const market = markets.find(({ id }) => id === String(listing.id)) as unknown as Market;
		const offered = takenTerms(market, false);
		const price = market.lineRange ? 45 : 2;
		const side = askedSide({ side: 'BACK', quoting: market.lines ? 'LINE' : 'ODDS' });
		const bet = () => ({
			marketId: market.id,
			runnerId: market.runners[0]?.id ?? '',
			side,
			price,
			stake: 100,
			clientRequestId: freshRequestId(),
		});
		const { stake: size, price: _, ...onClose } = bet();
		const isTaken = async (asked: ReturnType<TestServer['call']>) => (await asked).code === null;
		const takes = {
			options: [] as string[],
			whens: [''],
		};
		for (const [option, asks] of Object.entries(OPTIONS))
			if (await isTaken(server.call('placeBetV2', { ...bet(), ...asks } as never, token))) takes.options.push(option);
		for (const [when, plan] of Object.entries(PLANS))
			if (await isTaken(server.call('placePlan', { ...bet(), plan } as never, token))) takes.whens.push(when);
		if (await isTaken(server.call('placeTrigger', { ...bet(), moves: 'RISES', at: price } as never, token)))
			takes.whens.push('RISES', 'FALLS', 'TRAILS_RISE', 'TRAILS_FALL');
		if (await isTaken(server.call('placeOnClose', { ...onClose, side: 'BACK', size } as never, token)))
			takes.whens.push('START');
		expect([...offered.options].toSorted()).toEqual(takes.options.toSorted());
		expect(offered.whens).toEqual(BET_WHENS.filter((when) => takes.whens.includes(when)));
	});
});
