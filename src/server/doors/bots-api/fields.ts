/**
 * The one table of fields: our words and units, and those of Betfair's API, both ways. Amounts travel in major units,
 * prices as decimals, ids of markets with the prefix of the exchange, ids of selections as numbers.
 */
import type { OnClose } from '#engine/bet-detail.ts';
import type { MarketView } from '#engine/engine.ts';
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { isoTime, runnerStatus } from '#server/exchange/views/wire-views.ts';
import { DRAW, DRAW_ID } from '#server/world/feeds/betfair/mirrored-market.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import type { MarketId } from '#values/ids.ts';
import { type AnyMinor, type Minor, majorFromMinor, minorFromMajor } from '#values/money.ts';
import { type AnyPrice, decimalFromPrice } from '#values/price-ladder.ts';
import { type SideCode, sideCode, sideName } from '#values/sides.ts';
import { CRICKET, FOOTBALL, HORSE_RACING, KABADDI, sportById, TENNIS } from '#values/sports.ts';

/** Betfair's event types by our sports. A sport that Betfair does not know keeps its id behind a number of our own. */
const EVENT_TYPES: ReadonlyMap<number, string> = new Map([
	[FOOTBALL, '1'],
	[TENNIS, '2'],
	[CRICKET, '4'],
	[HORSE_RACING, '7'],
	[KABADDI, '27454571'],
]);
const OWN_EVENT_TYPES = 900_000_000;
export const eventTypeOf = (sportId: number): string => EVENT_TYPES.get(sportId) ?? String(OWN_EVENT_TYPES + sportId);
export const sportOf = (eventType: string): number => {
	const known = [...EVENT_TYPES].find(([, id]) => id === eventType);
	return known ? known[0] : Number(eventType) - OWN_EVENT_TYPES;
};
const EVENT_TYPE_NAMES: Partial<Record<number, string>> = { [FOOTBALL]: 'Soccer' };
export const eventTypeName = (sportId: number): string => EVENT_TYPE_NAMES[sportId] ?? sportById(sportId)?.name ?? '';

const EXCHANGE = '1.';
export const wireMarketId = (id: MarketId): string => `${EXCHANGE}${id}`;
/** NaN for an invalid market id; no market has it. */
export const marketIdOf = (wire: string): MarketId => (/^1\.\d{1,15}$/.test(wire) ? Number(wire.slice(2)) : Number.NaN);

/** A digest of a text that fits into 31 bits (FNV-1a). */
function digestOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return hash >>> 1;
}

/** A competition has a name alone, and its id is a digest of it. */
export const competitionIdOf = ({ competition }: Pick<Fixture, 'competition'>): string => String(digestOf(competition));

type Named = Pick<MarketListing, 'type' | 'runners'>;
/** The number that a stream gives a runner is in its id; of handicaps the line follows it. */
const OF_STREAM = /^1\.\d+-(\d{1,15})(?:_|$)/;
/** The runner of a handicap is named with its start. */
const START = /\s[+−]?\d+(?:\.\d+)?$/;

/** The id of a runner that has a name alone; the draw of every match is one. */
export function selectionOfName(name: string): number {
	return name === DRAW ? DRAW_ID : Math.max(1, digestOf(name.trim().toLowerCase()));
}

const selections = new WeakMap<MarketListing['runners'], readonly number[]>();
/** By runner: the stream's own numbers, or else those of the names. Two names with one number in a market are told apart. */
function selectionsOf({ type, runners }: Named): readonly number[] {
	const known = selections.get(runners);
	if (known) return known;
	const ids: number[] = [];
	for (const { id, name } of runners) {
		const ofStream = OF_STREAM.exec(id)?.[1];
		const subject = type === 'ASIAN_HANDICAP' ? name.replace(START, '') : name;
		let selection = ofStream === undefined ? selectionOfName(subject) : Number(ofStream);
		while (ids.includes(selection)) selection += 1;
		ids.push(selection);
	}
	selections.set(runners, ids);
	return ids;
}

/** The id of a runner's selection: the same in all markets that a team, a horse or a player is in. */
export const selectionIdOf = (listing: Named, runner: number): number => selectionsOf(listing)[runner] ?? 0;

/** The runner of a selection; -1 when the market has none. */
export const runnerOf = (listing: Named, selectionId: number): number => selectionsOf(listing).indexOf(selectionId);

/** The line of a runner: a handicap's is its own, a fancy's runners are its lines. */
export function handicapOf({ type, handicapQuarters, lines }: MarketListing, runner: number): number {
	if (lines) return lines[runner] ?? 0;
	if (type !== 'ASIAN_HANDICAP' || handicapQuarters === undefined) return 0;
	return ((runner === 0 ? 1 : -1) * handicapQuarters) / 4;
}

/** Betfair names a line in the market's type. */
export function marketTypeCode({ type, handicapQuarters }: Pick<MarketListing, 'type' | 'handicapQuarters'>): string {
	if (type === 'OUTRIGHT') return 'TOURNAMENT_WINNER';
	if (type === 'OVER_UNDER' && handicapQuarters !== undefined) {
		return `OVER_UNDER_${String(handicapQuarters / 4).replace('.', '')}`;
	}
	return type;
}

export function bettingTypeOf({ type, lineRange }: MarketListing): 'ODDS' | 'LINE' | 'ASIAN_HANDICAP_SINGLE_LINE' {
	if (lineRange) return 'LINE';
	return type === 'ASIAN_HANDICAP' ? 'ASIAN_HANDICAP_SINGLE_LINE' : 'ODDS';
}

/** The service's name of the prices that a market takes. */
export function ladderOf({ type, lineRange }: MarketListing): 'LINE_RANGE' | 'CLASSIC' | 'FINEST' {
	if (lineRange) return 'LINE_RANGE';
	return marketType(type).ladder === 'CLASSIC' ? 'CLASSIC' : 'FINEST';
}

type WireStatus = 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';
const STATUSES: Record<MarketView['status'], WireStatus> = {
	OPEN: 'OPEN',
	SUSPENDED: 'SUSPENDED',
	BALL_RUNNING: 'SUSPENDED',
	// Betting has ended and the result is unknown: for Betfair a market is closed when it is settled.
	CLOSED: 'SUSPENDED',
	SETTLING: 'SUSPENDED',
	SETTLED: 'CLOSED',
	VOIDED: 'CLOSED',
};
export const statusOf = (market: MarketView | null): WireStatus => (market ? STATUSES[market.status] : 'INACTIVE');

/** A suspended runner is active for Betfair, which suspends whole markets. */
export function selectionStatus(market: MarketView | null, runner: number): string {
	const status = runnerStatus(market, runner);
	return status === 'SUSPENDED' ? 'ACTIVE' : status;
}

/** In per cent: the effective reduction of a removed runner, the feed's value for others; null if neither is known. */
export function adjustmentFactorOf(listing: MarketListing, market: MarketView | null, runner: number): number | null {
	const removed = market?.removed.find(([gone]) => gone === runner);
	const factorBp = removed?.[1] ?? listing.runners[runner]?.adjustmentFactorBp;
	return factorBp === undefined ? null : factorBp / 100;
}

type WireSide = 'BACK' | 'LAY';
export const wireSide = (side: SideCode): WireSide => sideName(side);
export const sideOf = (wire: WireSide): SideCode => sideCode(wire);

type WirePersistence = 'PERSIST' | 'LAPSE' | 'MARKET_ON_CLOSE';
/** What becomes of the unmatched part of an order at the turn in-play. */
export const wirePersistence = ({
	persist,
	takesStart = false,
}: {
	persist: boolean;
	takesStart?: boolean;
}): WirePersistence => (takesStart ? 'MARKET_ON_CLOSE' : persist ? 'PERSIST' : 'LAPSE');

type OrderType = 'LIMIT' | 'LIMIT_ON_CLOSE' | 'MARKET_ON_CLOSE';
export const orderTypeOf = ({ onClose }: { onClose: OnClose | null }): OrderType =>
	onClose === null ? 'LIMIT' : onClose.limit === null ? 'MARKET_ON_CLOSE' : 'LIMIT_ON_CLOSE';

/**
 * The price and the size that an order asked: one on close has no size, and its limit, or 0, for a price. What is asked by
 * then is its liability.
 */
export const askedOf = ({ price, stake, onClose }: { price: AnyPrice; stake: AnyMinor; onClose: OnClose | null }) =>
	onClose === null
		? { price: wirePrice(price), size: wireSize(stake), bspLiability: 0 }
		: {
				price: onClose.limit === null ? 0 : wirePrice(onClose.limit),
				size: 0,
				bspLiability: wireSize(onClose.liability),
			};

export const wireSize = (amount: AnyMinor): number => majorFromMinor(amount);
/** Null when it has more than two decimals, or is too large. */
export const amountOf = (size: number): Minor | null => minorFromMajor(size);
export const wirePrice = (price: AnyPrice): number => decimalFromPrice(price);
/** The exact average of a bet's matches, which has more decimals than a price; 0 while nothing is matched. */
export const wireAverage = (matched: AnyMinor, matchedValue: number): number =>
	matched === 0 ? 0 : Math.round((matchedValue / matched) * 1e4) / 1e6;

export const wireTime = (atMs: number): string => isoTime(atMs);
