import { type ReactElement, useId } from 'react';
import { Button } from '#ui/button.tsx';
import { betRange } from '#values/bet-range.ts';
import { type Minor, majorFromMinor, minorOf } from '#values/money.ts';
import type { Ladder } from '#values/price-ladder.ts';
import { sideCode } from '#values/sides.ts';
import type { OpenBet, PlacedBet } from '#web/api/answers.ts';
import { isWhenSound, stakeMinor } from '#web/betting/asked-terms.ts';
import { keyOf, type Selection } from '#web/betting/selection.ts';
import type { TakenTerms } from '#web/betting/taken-terms.ts';
import { SYMBOL } from '#web/currency.ts';
import { type LadderStake, whyId } from '#web/features/market/ladder/ladder-stake.ts';
import type { LiftedOrders } from '#web/features/market/ladder/use-lifted.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { askedWords, understoodWords } from '#web/orders/amount-words.ts';
import { BetOptionFields } from '#web/orders/bet-option-fields.tsx';
import { useOutcome } from '#web/orders/bet-outcome.ts';
import { placeSelection } from '#web/orders/place-selection.ts';
import { placedWords } from '#web/orders/placed-words.ts';
import { usePresets } from '#web/store/presets.ts';
import { betWords, sideWord } from '#web/texts/bet-words.ts';
import { LADDER_WORDS, SLIP_WORDS } from '#web/texts/more.ts';

/** The stake of the next press on a price. */
export function StakeField({ stake: { text, set, box, wrongBy } }: { stake: LadderStake }): ReactElement {
	const id = useId();
	const stakes = usePresets().slice(0, 4);
	return (
		<div ref={box} className="ladder-stake">
			<p className="ladder-stake-label">
				<label htmlFor={id}>{LADDER_WORDS.stake}</label>
				<span id={`${id}-said`}>{understoodWords(text)}</span>
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
					value={text}
					aria-invalid={wrongBy !== undefined || undefined}
					aria-describedby={wrongBy ?? `${id}-said`}
					onChange={({ target }) => set(target.value)}
				/>
			</div>
			{stakes.map(({ title, value }) => (
				<button key={title} type="button" className="chip" onClick={() => set(String(majorFromMinor(value)))}>
					{title}
				</button>
			))}
		</div>
	);
}

/** The bet's largest loss: at the starting price it is what was typed. @param eachWay the divisor of the market, 0 in others */
function riskOf({ side, price, quoting, when }: Selection, stake: Minor, eachWay: number): Minor {
	if (when === 'START') return stake;
	return minorOf(betRange(sideCode(side), price * stake, stake, { eachWay, lines: quoting === 'SPREAD' }).liability);
}

/** The text of the button that places the bet. */
function placeText(selection: Selection, stake: Minor | null, eachWay: number): string {
	const { side, quoting, runnerName, price, when } = selection;
	const isAtStart = when === 'START';
	const what = isAtStart ? SLIP_WORDS.atStart(runnerName) : betWords(runnerName, formatQuote(price, quoting), quoting);
	const bet = `${sideWord(side, quoting)} ${what}`;
	const asked =
		stake === null
			? bet
			: SLIP_WORDS.place(`${bet} · ${formatMoney(stake)}`, formatMoney(riskOf(selection, stake, eachWay)));
	return when === '' || isAtStart ? asked : SLIP_WORDS.later(asked);
}

/** Why the bet cannot be placed, or was not; null for no reason. */
function whyNot(selection: Selection, stake: Minor | null): string | null {
	const { phase, when } = selection;
	if (phase.kind === 'unknown') return SLIP_WORDS.unknown;
	if (phase.kind === 'editing' && phase.refusal !== null) return phase.refusal;
	if (stake === null) return askedWords(selection.stake) ?? SLIP_WORDS.why.badStake;
	if (isWhenSound(selection)) return null;
	return when === 'START' ? SLIP_WORDS.why.startLimit : SLIP_WORDS.why.when;
}

/** What became of the placed bet so far. */
function Placed({ selection, bet }: { selection: Selection; bet: PlacedBet }): ReactElement {
	return <p>{placedWords(useOutcome(bet), selection)}</p>;
}

/** The picked bet: what is to become of its unmatched part, and the button that places it. */
function Place({
	selection,
	closed,
	taken,
	eachWay,
	onRefused,
}: {
	selection: Selection;
	closed: string | null;
	taken: TakenTerms;
	eachWay: number;
	onRefused: () => void;
}): ReactElement {
	const { side, phase } = selection;
	const stake = stakeMinor(selection.stake);
	const why = whyNot(selection, stake);
	return (
		<>
			<BetOptionFields selection={selection} taken={taken} />
			<Button
				variant={side === 'BACK' ? 'back' : 'lay'}
				busy={phase.kind === 'pending'}
				disabled={stake === null || closed !== null || !isWhenSound(selection)}
				onClick={() => void placeSelection(keyOf(selection)).then((refused) => refused === 'amount' && onRefused())}
			>
				{phase.kind === 'unknown' ? SLIP_WORDS.again : placeText(selection, stake, eachWay)}
			</Button>
			{/* A state of the market is not called out. */}
			<p
				id={whyId(selection)}
				role={why === null ? undefined : 'alert'}
				className={`empty:hidden ${why === null ? 'text-muted' : 'text-loss'}`}
			>
				{why ?? closed}
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
	closed,
	taken,
	eachWay,
	isSaid,
	onCancel,
}: {
	orders: LiftedOrders;
	ladder: Ladder;
	quoting: Selection['quoting'];
	bets: readonly OpenBet[];
	/** For the next bet. */
	stake: LadderStake;
	/** The bet picked on this ladder. */
	selection: Selection | null;
	/** Why no bets are taken; null if they are. */
	closed: string | null;
	/** What the market takes beside price and stake. */
	taken: TakenTerms;
	/** The divisor of an each-way market, 0 in others. */
	eachWay: number;
	/** What became of the bet is read out here; beside the slip the slip says it. */
	isSaid: boolean;
	onCancel: () => void;
}): ReactElement {
	const { lifted } = orders;
	const placed = !lifted && selection?.phase.kind === 'placed' ? selection.phase : null;
	const Region = isSaid ? 'output' : 'div';
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
			) : selection && !placed ? (
				<Place selection={selection} closed={closed} taken={taken} eachWay={eachWay} onRefused={stake.lead} />
			) : (
				!placed && <p className="text-muted">{closed ?? askedWords(stake.text) ?? LADDER_WORDS.hint}</p>
			)}
			<Region className="empty:-mt-1">
				{placed && selection && <Placed key={placed.bet.betId} selection={selection} bet={placed.bet} />}
			</Region>
		</div>
	);
}
