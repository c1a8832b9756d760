import type { ReactElement } from 'react';
import { PriceButton } from '#ui/price-button.tsx';
import { TeamMonogram } from '#ui/team-monogram.tsx';
import type { Side } from '#values/sides.ts';
import { formatAmount, formatCompact, formatPrice, formatSigned } from '#web/format.ts';
import { pickPrice } from '#web/store/pick-price.ts';
import { useCellPrice } from '#web/store/prices/live-prices.ts';
import type { EventSummary, Market, OpenBet } from '#web/store/queries.ts';
import { keyOf, useSlip } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

type Runner = Market['runners'][number];

interface RunnerRowProps {
	event: EventSummary;
	market: Market;
	runner: Runner;
	/** The status as last heard. */
	status: string;
	/** 3 on a wide screen, 1 on a phone. */
	levels: 1 | 3;
	open: boolean;
	/** What the player nets if this runner wins, major units; null without matched bets. */
	now: number | null;
	whatIf: number | null;
	ownBets: readonly OpenBet[];
}

/** The player's own money that waits at a price; a back waits among the prices that layers can take. */
function ownAt(bets: readonly OpenBet[], runnerId: string, side: Side, price: number): number {
	const restingSide: Side = side === 'BACK' ? 'LAY' : 'BACK';
	return bets
		.filter((bet) => bet.runnerId === runnerId && bet.side === restingSide && bet.price === price)
		.reduce((sum, bet) => sum + bet.remainingStake, 0);
}

function PriceCell({
	side,
	level,
	...row
}: Pick<RunnerRowProps, 'event' | 'market' | 'runner' | 'open' | 'ownBets'> & {
	side: Side;
	level: 1 | 2 | 3;
}): ReactElement {
	const { event, market, runner, open, ownBets } = row;
	const cell = useCellPrice(market.id, runner.id, side === 'BACK' ? 'back' : 'lay', level - 1);
	const picked = {
		eventId: event.id,
		eventTitle: event.title,
		marketId: market.id,
		marketName: market.name,
		runnerId: runner.id,
		runnerName: runner.name,
		side,
	};
	const key = keyOf(picked);
	const chosen = useSlip(({ selections }) => selections.find((selection) => keyOf(selection) === key)?.price);
	const own = cell ? ownAt(ownBets, runner.id, side, cell.price) : 0;
	const label = side === 'BACK' ? TEXTS.market.backLabel : TEXTS.market.layLabel;
	const words = cell
		? label(runner.name, formatPrice(cell.price), formatAmount(cell.size)) +
			(own > 0 ? TEXTS.market.own(formatAmount(own)) : '')
		: TEXTS.market.noPrice(side === 'BACK' ? TEXTS.market.back : TEXTS.market.lay, runner.name);
	return (
		<PriceButton
			side={side}
			level={level}
			price={cell ? formatPrice(cell.price) : null}
			size={cell ? formatCompact(cell.size) : null}
			label={words}
			move={cell?.move ?? 0}
			tick={cell?.tick ?? 0}
			pressed={cell !== null && chosen === Math.round(cell.price * 100)}
			disabled={!open}
			own={own > 0}
			onPress={() => cell && pickPrice({ ...picked, price: cell.price })}
		/>
	);
}

function Result({
	amount,
	whatIf,
	name,
}: {
	amount: number | null;
	whatIf: number | null;
	name: string;
}): ReactElement {
	const tone = (value: number) => (value < 0 ? 'text-loss' : 'text-profit');
	return (
		<span className="flex h-5 items-center gap-1.5 text-xs">
			{amount !== null && (
				<b className={tone(amount)} title={TEXTS.market.profitLoss(name, formatSigned(amount))}>
					{formatSigned(amount)}
				</b>
			)}
			{whatIf !== null && (
				<span className="text-muted">
					<span aria-hidden="true">→ </span>
					<span className="unseen">{TEXTS.market.whatIf(name)}</span>
					<b className={tone(whatIf)}>{formatSigned(whatIf)}</b>
				</span>
			)}
		</span>
	);
}

const ENDED: Record<string, string> = {
	WINNER: TEXTS.market.winner,
	LOSER: TEXTS.market.loser,
	REMOVED: TEXTS.market.removed,
};

/** A runner with its prices: deepest level outermost, the best pair in the middle. */
export function RunnerRow({ levels, status, now, whatIf, ...row }: RunnerRowProps): ReactElement {
	const { runner } = row;
	const backs = levels === 3 ? ([3, 2, 1] as const) : ([1] as const);
	const lays = levels === 3 ? ([1, 2, 3] as const) : ([1] as const);
	const ended = ENDED[status];
	return (
		<li className="market-grid market-row" data-levels={levels}>
			<div className="flex min-w-0 items-center gap-3 pl-3">
				<TeamMonogram name={runner.name} />
				<div className="min-w-0">
					<p className="flex items-center gap-2">
						<span className="min-w-0 truncate font-semibold">{runner.name}</span>
						{ended && (
							<span className={`text-xs font-semibold ${status === 'WINNER' ? 'text-profit' : 'text-muted'}`}>
								{ended}
							</span>
						)}
					</p>
					<Result amount={now} whatIf={whatIf} name={runner.name} />
				</div>
			</div>
			{backs.map((level) => (
				<PriceCell key={`b${level}`} {...row} side="BACK" level={level} />
			))}
			{lays.map((level) => (
				<PriceCell key={`l${level}`} {...row} side="LAY" level={level} />
			))}
		</li>
	);
}
