import { memo, type ReactElement } from 'react';
import { PriceButton } from '#ui/price-button.tsx';
import type { Side } from '#values/sides.ts';
import { keyOf } from '#web/betting/selection.ts';
import type { Runner } from '#web/features/match-list/match-columns.ts';
import { formatAmount, formatCompact, formatPrice } from '#web/format.ts';
import { useCellPrice } from '#web/live/prices/live-prices.ts';
import { type PickedPrice, pickPrice } from '#web/orders/pick-price.ts';
import { useSlip } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

interface BestPairProps {
	eventId: string;
	eventTitle: string;
	marketId: string;
	marketName: string;
	runner: Runner;
	/** Whether the hub has reported the market's prices; those of the list stand until then. */
	isKnown: boolean;
	/** Whether bets are taken. */
	open: boolean;
}

function BestPrice({ runner, isKnown, open, side, ...market }: BestPairProps & { side: Side }): ReactElement {
	const live = useCellPrice(market.marketId, runner.runnerId, side === 'BACK' ? 'back' : 'lay', 0);
	const best = isKnown ? live : side === 'BACK' ? runner.back : runner.lay;
	const picked: Omit<PickedPrice, 'price'> = {
		...market,
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

/** The best back and lay price of a runner now. A score that changes beside them renders neither again. */
export const BestPair = memo(function BestPair(props: BestPairProps): ReactElement {
	return (
		<>
			<BestPrice {...props} side="BACK" />
			<BestPrice {...props} side="LAY" />
		</>
	);
});
