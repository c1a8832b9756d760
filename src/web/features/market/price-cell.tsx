import type { ReactElement } from 'react';
import { PriceButton } from '#ui/price-button.tsx';
import { type Minor, ZERO } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import type { EventSummary, Market, OpenBet } from '#web/api/answers.ts';
import { ladderTermsOf } from '#web/betting/market-ladder.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { keyOf } from '#web/betting/selection.ts';
import { formatAmount, formatCompact, formatQuote } from '#web/format.ts';
import { useCellPrice } from '#web/live/prices/live-prices.ts';
import { pickPrice } from '#web/orders/pick-price.ts';
import { useSlip } from '#web/store/slip.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';

interface PriceCellProps {
	event: EventSummary;
	market: Market;
	runner: { id: string; name: string };
	quoting: Quoting;
	side: Side;
	level: 1 | 2 | 3;
	open: boolean;
	ownBets: readonly OpenBet[];
	/** Shown above the rate in place of price and size: the fancy's line. */
	headed?: string;
}

/** The player's own unmatched stake at a price; a resting back is among the prices available to layers. */
function ownAt(bets: readonly OpenBet[], runnerId: string, side: Side, price: Price): Minor {
	const restingSide: Side = side === 'BACK' ? 'LAY' : 'BACK';
	return bets
		.filter((bet) => bet.runnerId === runnerId && bet.side === restingSide && bet.price === price && !bet.onClose)
		.reduce((sum, bet) => (sum + bet.remainingStake) as Minor, ZERO);
}

function labelOf({ market, runner, quoting, side }: PriceCellProps, price: Price, size: Minor, own: Minor): string {
	const quote = formatQuote(price, quoting);
	if (quoting === 'LINE')
		return (side === 'BACK' ? MARKET_WORDS.yesLabel : MARKET_WORDS.noLabel)(market.name, runner.name, quote);
	if (quoting === 'RATE') return (side === 'BACK' ? MARKET_WORDS.backRate : MARKET_WORDS.layRate)(runner.name, quote);
	const label =
		quoting === 'SPREAD'
			? MARKET_WORDS[side === 'BACK' ? 'sellLabel' : 'buyLabel']
			: GRID_WORDS[side === 'BACK' ? 'backLabel' : 'layLabel'];
	return label(runner.name, quote, formatAmount(size)) + (own > 0 ? GRID_WORDS.own(formatAmount(own)) : '');
}

/** One price of a market in the market's notation; a press adds it to the slip. */
export function PriceCell(props: PriceCellProps): ReactElement {
	const { event, market, runner, quoting, side, level, open, ownBets, headed } = props;
	const cell = useCellPrice(market.id, runner.id, side === 'BACK' ? 'back' : 'lay', level - 1);
	const picked = {
		eventId: event.id,
		eventTitle: event.title,
		marketId: market.id,
		marketName: market.name,
		runnerId: runner.id,
		runnerName: runner.name,
		side,
		quoting,
		ladder: ladderTermsOf(market),
	};
	const key = keyOf(picked);
	const chosen = useSlip(({ selections }) => selections.find((selection) => keyOf(selection) === key)?.price);
	const own = cell ? ownAt(ownBets, runner.id, side, cell.price) : ZERO;
	const quote = cell ? formatQuote(cell.price, quoting) : null;
	return (
		<PriceButton
			side={side}
			level={level}
			price={quote === null ? null : (headed ?? quote)}
			size={
				quote === null || !cell
					? null
					: headed
						? quote
						: quoting === 'ODDS' || quoting === 'SPREAD'
							? formatCompact(cell.size)
							: null
			}
			label={
				cell ? labelOf(props, cell.price, cell.size, own) : GRID_WORDS.noPrice(sideWord(side, quoting), runner.name)
			}
			move={cell?.move ?? 0}
			changeCount={cell?.changeCount ?? 0}
			pressed={cell !== null && chosen === cell.price}
			disabled={!open}
			own={own > 0}
			onPress={() => cell && pickPrice({ ...picked, price: cell.price, isBest: level === 1 })}
		/>
	);
}
