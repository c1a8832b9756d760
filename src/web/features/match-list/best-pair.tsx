import type { ReactElement } from 'react';
import { PriceButton } from '#ui/price-button.tsx';
import type { Side } from '#values/sides.ts';
import type { PricedEvent } from '#web/api/answers.ts';
import { keyOf } from '#web/betting/selection.ts';
import type { MainMarket, Runner } from '#web/features/match-list/match-columns.ts';
import { formatAmount, formatCompact, formatPrice } from '#web/format.ts';
import { useCellPrice, useMarketHead } from '#web/live/prices/live-prices.ts';
import { type PickedPrice, pickPrice } from '#web/orders/pick-price.ts';
import { useSlip } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

interface BestPairProps {
	event: PricedEvent;
	market: MainMarket;
	runner: Runner;
	/** Whether bets are taken. */
	open: boolean;
}

function BestPrice({ event, market, runner, open, side }: BestPairProps & { side: Side }): ReactElement {
	const live = useCellPrice(market.marketId, runner.runnerId, side === 'BACK' ? 'back' : 'lay', 0);
	const listed = side === 'BACK' ? runner.back : runner.lay;
	const known = useMarketHead(market.marketId) !== null;
	const best = known ? live : listed;
	const picked: Omit<PickedPrice, 'price'> = {
		eventId: event.id,
		eventTitle: event.title,
		marketId: market.marketId,
		marketName: market.name,
		runnerId: runner.runnerId,
		runnerName: runner.name,
		side,
	};
	const pressed = useSlip(({ selections }) => selections.some((selection) => keyOf(selection) === keyOf(picked)));
	const name = side === 'BACK' ? TEXTS.market.back : TEXTS.market.lay;
	const label = side === 'BACK' ? TEXTS.market.backLabel : TEXTS.market.layLabel;
	return (
		<PriceButton
			side={side}
			level={1}
			price={best ? formatPrice(best.price) : null}
			size={best ? formatCompact(best.size) : null}
			label={
				best
					? label(runner.name, formatPrice(best.price), formatAmount(best.size))
					: TEXTS.market.noPrice(name, runner.name)
			}
			move={live?.move ?? 0}
			changeCount={live?.changeCount ?? 0}
			pressed={pressed}
			disabled={!open}
			own={false}
			onPress={() => best && pickPrice({ ...picked, price: best.price })}
		/>
	);
}

/** The best back and lay price of a runner now. */
export function BestPair(props: BestPairProps): ReactElement {
	return (
		<>
			<BestPrice {...props} side="BACK" />
			<BestPrice {...props} side="LAY" />
		</>
	);
}
