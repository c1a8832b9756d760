import { MARKET_RESULT_KINDS } from '#server/exchange/ledger/result-gain.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import {
	type FindSubject,
	postingsWhere,
	type SubjectPosting,
	zoneOfPlayer,
} from '#server/operators/references/subject.ts';
import { moneyText, timeText } from '#server/operators/references/texts/answer-texts.ts';
import type { AnswerTexts } from '#server/operators/references/texts/en.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { OddsFormat } from '#values/odds-formats.ts';
import { oddsText } from '#values/odds-text.ts';
import { FIRST_PLAYER_ID, type Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { sideName } from '#values/sides.ts';

/** `profit_exact` is in hundredths of a minor unit, of all parts of the market's pot. */
const EXACT_OF_MINOR = 100;

interface Row {
	walletId: PlayerId;
	pool: Pool;
	marketId: MarketId;
	runner: number;
	side: 0 | 1;
	price: number;
	stake: AnyMinor;
	matched: AnyMinor;
	remaining: AnyMinor;
	cancelled: AnyMinor;
	lapsed: AnyMinor;
	voided: AnyMinor;
	result: string | null;
	profit: AnyMinor | null;
	placedAtMs: number;
	net: AnyMinor | null;
	commission: AnyMinor | null;
	held: AnyMinor;
	oddsFormat: OddsFormat | null;
	postings: SubjectPosting[];
}

const IN_MARKET = `wallet_id = bet.wallet_id and market_id = bet.market_id and (debit = 'exposure' or credit = 'exposure')`;
const RESULTS = `wallet_id = bet.wallet_id and ref = bet.market_id and kind in ${MARKET_RESULT_KINDS}`;

/** One statement, so that the bet, its market's settlement and the postings are of one instant. */
export const BET_WITH_POSTINGS = `select bet.wallet_id as "walletId", bet.pool, bet.market_id as "marketId", runner, side, price, stake, matched, remaining,
	cancelled, lapsed, voided, result, round(profit_exact::numeric / ${EXACT_OF_MINOR} / parts)::bigint as profit,
	placed_at as "placedAtMs", settlement.net, settlement.commission,
	(select coalesce(sum(case when credit = 'exposure' then amount else -amount end), 0)::bigint
	 from posting where ${IN_MARKET}) as held,
	(select odds_format from player_preference where player_id = bet.wallet_id) as "oddsFormat",
	${postingsWhere(`(${IN_MARKET}) or (${RESULTS})`)} as postings
	from bet left join player_settlement as settlement
		on settlement.market_id = bet.market_id and settlement.wallet_id = bet.wallet_id
	where bet_id = $1 and bet.wallet_id >= ${FIRST_PLAYER_ID}`;

function outcome({ pool, result, profit, net, commission }: Row, { bet }: AnswerTexts): string[] {
	if (result === null || profit === null) return [];
	const own = profit > 0 ? bet.won(moneyText(pool, profit)) : profit < 0 ? bet.lost(moneyText(pool, profit)) : bet.even;
	if (net === null || commission === null) return [own];
	const sum = net < 0 ? bet.lostAll(moneyText(pool, net)) : bet.gained(moneyText(pool, net));
	return [own, bet.market(sum, moneyText(pool, commission))];
}

function parts({ pool, matched, remaining, cancelled, lapsed, voided, result }: Row, { bet }: AnswerTexts): string[] {
	const all: [AnyMinor, (stake: string) => string][] = [
		[result === null ? matched : 0, bet.waits],
		[remaining, bet.unmatched],
		[cancelled, bet.cancelled],
		[lapsed, bet.lapsed],
		[voided, bet.voided],
	];
	return all.flatMap(([stake, say]) => (stake > 0 ? [say(moneyText(pool, stake))] : []));
}

/** As the player reads odds on the site; a line, and a rate of the house, are no odds. */
function priceText({ price, oddsFormat }: Row, market: Pick<MarketListing, 'bettingModel' | 'lineRange'> | undefined) {
	const isOdds = market?.bettingModel === 'EXCHANGE' && !market.lineRange;
	return isOdds ? oddsText(price, oddsFormat ?? 'DECIMAL') : decimalFromPrice(price).toFixed(2);
}

/** A player's bet; null for a bet of the house. */
export const findBet: FindSubject = async (options, id) => {
	const { reads, fixtures } = options;
	const { rows } = await reads.query<Row>(BET_WITH_POSTINGS, [id]);
	const [row] = rows;
	if (!row) return null;
	const market = (await fixtures.named([row.marketId])).get(row.marketId);
	const title = market ? `${market.fixture.title} · ${market.listing.name}` : `market ${row.marketId}`;
	const runner = market?.listing.runners[row.runner]?.name ?? String(row.runner);
	return {
		kind: 'bet',
		id,
		playerId: row.walletId,
		marketId: row.marketId,
		about: `${runner}, ${title}`,
		answer: async () => ({
			say: (texts) => [
				texts.bet.placed({
					id,
					side: sideName(row.side),
					runner,
					title,
					stake: moneyText(row.pool, row.stake),
					price: priceText(row, market?.listing),
				}),
				texts.bet.on(timeText(texts.locale, row.placedAtMs, zoneOfPlayer(options, row.walletId))),
				...parts(row, texts),
				...outcome(row, texts),
				row.held > 0 ? texts.bet.held(moneyText(row.pool, row.held)) : texts.bet.free,
			],
			postings: row.postings,
		}),
	};
};
