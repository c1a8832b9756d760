import { type ReactElement, useId } from 'react';
import { Button } from '#ui/button.tsx';
import { betRange } from '#values/bet-range.ts';
import { type Minor, majorFromMinor, minorOf } from '#values/money.ts';
import type { Ladder } from '#values/price-ladder.ts';
import { sideCode } from '#values/sides.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { isWhenSound, stakeMinor } from '#web/betting/asked-terms.ts';
import { keyOf, type Selection } from '#web/betting/selection.ts';
import type { TakenTerms } from '#web/betting/taken-terms.ts';
import { SYMBOL } from '#web/currency.ts';
import type { LiftedOrders } from '#web/features/market/ladder/use-lifted.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { askedWords, understoodWords } from '#web/orders/amount-words.ts';
import { BetOptionFields } from '#web/orders/bet-option-fields.tsx';
import { placeSelection } from '#web/orders/place-selection.ts';
import { placedWords } from '#web/orders/placed-words.ts';
import { useSession } from '#web/store/session.ts';
import { betWords, sideWord } from '#web/texts/bet-words.ts';
import { LADDER_WORDS, SLIP_WORDS } from '#web/texts/more.ts';

/** The stake of the next press on a price. */
export function StakeField({ stake, onStake }: { stake: string; onStake: (text: string) => void }): ReactElement {
	const id = useId();
	const stakes = useSession((state) => state.stakes).slice(0, 4);
	return (
		<div className="ladder-stake">
			<p className="ladder-stake-label">
				<label htmlFor={id}>{LADDER_WORDS.stake}</label>
				<span id={`${id}-said`}>{understoodWords(stake)}</span>
			</p>
			<div className="field-box">
				<span aria-hidden="true" className="pl-3 text-muted">
					{SYMBOL}
				</span>
				<input
					id={id}
					className="text-right font-semibold"
					inputMode="decimal"
					autoComplete="off"
					placeholder="0"
					value={stake}
					aria-describedby={`${id}-said`}
					onChange={({ target }) => onStake(target.value)}
				/>
			</div>
			{stakes.map(({ title, value }) => (
				<button key={title} type="button" className="chip" onClick={() => onStake(String(majorFromMinor(value)))}>
					{title}
				</button>
			))}
		</div>
	);
}

/** The bet's largest loss. */
function riskOf({ side, price, quoting }: Selection, stake: Minor): Minor {
	return minorOf(betRange(sideCode(side), price * stake, stake, { eachWay: 0, lines: quoting === 'SPREAD' }).liability);
}

/** The picked bet: what is to become of its unmatched part, and the button that places it. */
function Place({
	selection,
	takesBets,
	taken,
}: {
	selection: Selection;
	takesBets: boolean;
	taken: TakenTerms;
}): ReactElement {
	const { side, quoting, runnerName, price, phase } = selection;
	const stake = stakeMinor(selection.stake);
	const lacksTrigger = !isWhenSound(selection);
	const bet = `${sideWord(side, quoting)} ${betWords(runnerName, formatQuote(price, quoting), quoting)}`;
	const asked =
		stake === null ? bet : SLIP_WORDS.place(`${bet} · ${formatMoney(stake)}`, formatMoney(riskOf(selection, stake)));
	if (phase.kind === 'placed') return <p>{placedWords(phase.bet, selection)}</p>;
	const refusal = phase.kind === 'editing' ? phase.refusal : phase.kind === 'unknown' ? SLIP_WORDS.unknown : null;
	return (
		<>
			<BetOptionFields selection={selection} taken={taken} />
			<Button
				variant={side === 'BACK' ? 'back' : 'lay'}
				busy={phase.kind === 'pending'}
				disabled={stake === null || !takesBets || lacksTrigger}
				onClick={() => void placeSelection(keyOf(selection))}
			>
				{phase.kind === 'unknown' ? SLIP_WORDS.again : selection.when === '' ? asked : SLIP_WORDS.later(asked)}
			</Button>
			<p role="alert" className="text-loss empty:hidden">
				{refusal ??
					(stake === null
						? (askedWords(selection.stake) ?? SLIP_WORDS.why.badStake)
						: lacksTrigger
							? SLIP_WORDS.why.when
							: null)}
			</p>
		</>
	);
}

function Moving({
	orders,
	ladder,
	lifted,
	selection: { quoting },
	bets,
	onCancel,
}: {
	orders: LiftedOrders;
	ladder: Ladder;
	lifted: NonNullable<LiftedOrders['lifted']>;
	selection: Pick<Selection, 'quoting'>;
	bets: readonly OpenBet[];
	onCancel: () => void;
}): ReactElement {
	const stake = bets
		.filter(({ betId }) => lifted.betIds.includes(betId))
		.reduce((sum, { remainingStake }) => sum + remainingStake, 0);
	const at = (tick: number) => formatQuote(ladder.priceAt(tick), quoting);
	return (
		<>
			<p aria-live="polite">
				{LADDER_WORDS.moving(
					`${sideWord(lifted.side, quoting)} ${formatMoney(minorOf(stake))}`,
					at(lifted.from),
					lifted.to === lifted.from ? null : at(lifted.to),
				)}
			</p>
			<div className="flex flex-wrap gap-2">
				<Button variant="primary" size="small" disabled={lifted.to === lifted.from} onClick={orders.drop}>
					{LADDER_WORDS.move}
				</Button>
				<Button variant="danger" size="small" onClick={onCancel}>
					{LADDER_WORDS.cancelBet}
				</Button>
				<Button size="small" onClick={orders.letGo}>
					{LADDER_WORDS.keep}
				</Button>
			</div>
		</>
	);
}

/** Below the ladder, of fixed height: the moving order, the picked bet, or a hint. */
export function LadderTicket({
	orders,
	ladder,
	quoting,
	bets,
	stake,
	selection,
	takesBets,
	taken,
	onCancel,
}: {
	orders: LiftedOrders;
	ladder: Ladder;
	quoting: Selection['quoting'];
	bets: readonly OpenBet[];
	/** As typed, for the next bet. */
	stake: string;
	/** The bet picked on this ladder. */
	selection: Selection | null;
	takesBets: boolean;
	/** What the market takes beside price and stake. */
	taken: TakenTerms;
	onCancel: () => void;
}): ReactElement {
	const { lifted } = orders;
	return (
		<div className="ladder-ticket">
			{lifted ? (
				<Moving
					orders={orders}
					ladder={ladder}
					lifted={lifted}
					selection={{ quoting }}
					bets={bets}
					onCancel={onCancel}
				/>
			) : selection ? (
				<Place selection={selection} takesBets={takesBets} taken={taken} />
			) : (
				<p className="text-muted">{takesBets ? (askedWords(stake) ?? LADDER_WORDS.hint) : SLIP_WORDS.why.market}</p>
			)}
		</div>
	);
}
