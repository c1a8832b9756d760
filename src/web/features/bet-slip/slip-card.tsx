import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { useRefusedFocus } from '#ui/refused-focus.ts';
import type { Price } from '#values/price-ladder.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import { isBetter } from '#web/betting/odds-policy.ts';
import { type FormNumber, keyOf, type Selection } from '#web/betting/selection.ts';
import { BetAmounts } from '#web/features/bet-slip/bet-amounts.tsx';
import { type Draft, useDraft } from '#web/features/bet-slip/draft.ts';
import { OddsField } from '#web/features/bet-slip/odds-field.tsx';
import { PendingButton } from '#web/features/bet-slip/pending-button.tsx';
import { PlacedActions, PlacedResult } from '#web/features/bet-slip/placed-result.tsx';
import { StakeField } from '#web/features/bet-slip/stake-field.tsx';
import { StartEstimate } from '#web/features/bet-slip/start-estimate.tsx';
import { formatMoney, formatQuote } from '#web/format.ts';
import { BetOptionFields } from '#web/orders/bet-option-fields.tsx';
import { placeSelection } from '#web/orders/place-selection.ts';
import { openDialog } from '#web/store/dialogs.ts';
import { eventMarketsQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { acceptPrice, keepPrice, movePrice, removeSelection, setPrice } from '#web/store/slip.ts';
import { betWords, sideWord } from '#web/texts/bet-words.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

const words = SLIP_WORDS;
const quote = ({ quoting }: Selection, price: Price): string => formatQuote(price, quoting);

function Title({ selection }: { selection: Selection }): ReactElement {
	return (
		<div className="slip-head" data-side={selection.side}>
			<span className="slip-side">{sideWord(selection.side, selection.quoting)}</span>
			<div className="min-w-0 flex-1">
				<h3 className="truncate font-semibold">{selection.runnerName}</h3>
				<p className="text-xs text-muted">
					{selection.marketName} · {selection.eventTitle}
				</p>
			</div>
			<button
				type="button"
				className="icon-button"
				aria-label={words.remove(selection.runnerName)}
				onClick={() => removeSelection(keyOf(selection))}
			>
				<Icon solid>xmark</Icon>
			</button>
		</div>
	);
}

/** How the offer differs from what was picked; moved odds are reported only for a picked price. Empty if it does not. */
function offerWords(selection: Selection, { decision, best, rests, isAtStart }: Draft): string {
	const { side, price, ownPrice } = selection;
	if (decision.kind === 'gone' || isAtStart) return '';
	if (decision.kind === 'go') return decision.price === price ? '' : words.follows(quote(selection, decision.price));
	const waits = decision.kind === 'rest' ? words.waits : '';
	if (best === null) return `${words.gone} ${waits}`;
	const offered = quote(selection, best);
	const said = ownPrice ? words.onOffer : isBetter(side, best, price) ? words.movedBetter : words.movedWorse;
	return `${said(offered)} ${ownPrice && !rests ? words.houseOnly : waits}`;
}

/** What else can be done about moved odds: the picked price kept, or the one on offer taken. */
function OtherPrice({
	selection,
	draft: { decision, best, rests, isAtStart },
}: {
	selection: Selection;
	draft: Draft;
}) {
	if (isAtStart) return null;
	const key = keyOf(selection);
	if (decision.kind === 'ask' && rests)
		return <Button onClick={() => keepPrice(key)}>{words.keepOld(quote(selection, selection.price))}</Button>;
	if (decision.kind === 'rest' && best !== null)
		return <Button onClick={() => acceptPrice(key, best)}>{words.accept(quote(selection, best))}</Button>;
	return null;
}

/** The text of the main button: where the odds moved it accepts the new ones, and bets if there is a stake. */
function actionText(selection: Selection, { decision, preview, reason, isAtStart }: Draft): string {
	const { side, quoting, runnerName, price } = selection;
	const stake = stakeMinor(selection.stake);
	if (isAtStart) {
		const bet = `${sideWord(side, quoting)} ${words.atStart(runnerName)}`;
		return preview ? words.place(bet, formatMoney(preview.liability)) : bet;
	}
	if (decision.kind === 'ask') {
		const offered = quote(selection, decision.best);
		if (reason !== null || stake === null) return words.accept(offered);
		return words.acceptAndBet(offered, sideWord(side, quoting), formatMoney(stake));
	}
	const taken = quote(selection, decision.kind === 'go' ? decision.price : price);
	const bet = `${sideWord(side, quoting)} ${betWords(runnerName, taken, quoting)}`;
	const asked = preview ? words.place(bet, formatMoney(preview.liability)) : bet;
	return selection.when === '' ? asked : words.later(asked);
}

/**
 * The action, always in reach at the foot of the slip. What changes with the market has its place already, so that the
 * button stays under the finger.
 */
function PlaceButton({ selection, draft }: { selection: Selection; draft: Draft }): ReactElement {
	const key = keyOf(selection);
	const { reason, decision, isBlocked } = draft;
	const isVisitor = useSession((state) => state.user === null);
	if (isVisitor) {
		return (
			<Button variant="primary" className="w-full" onClick={() => openDialog('login')}>
				{words.logIn}
			</Button>
		);
	}
	if (selection.phase.kind === 'pending') return <PendingButton selection={selection} delay={draft.betDelaySeconds} />;
	// Without a stake it accepts alone.
	const acceptsOnly = decision.kind === 'ask' && !draft.isAtStart && reason !== null && !isBlocked;
	return (
		<div className="slip-go">
			<div className="slip-actions">
				<OtherPrice selection={selection} draft={draft} />
				<Button
					type={acceptsOnly ? 'button' : 'submit'}
					variant={selection.side === 'BACK' ? 'back' : 'lay'}
					className="min-w-0 flex-1 py-2 whitespace-normal"
					disabled={reason !== null && !acceptsOnly}
					aria-describedby={`${key}-reason`}
					{...(acceptsOnly ? { onClick: () => acceptPrice(key, decision.best) } : {})}
				>
					{actionText(selection, draft)}
				</Button>
			</div>
			<p id={`${key}-reason`} className="slip-note" data-error={draft.reasonIsError || undefined}>
				{[offerWords(selection, draft), reason].filter((said) => said !== null && said !== '').join(' ')}
			</p>
		</div>
	);
}

/** Longer than a finger needs to stop. */
const SAME_PRESS_MS = 500;

/** @param asked the price to accept, or null @returns whether a press is meant for it, and not for what the button was */
function useSteadyOffer(asked: Price | null): () => boolean {
	const askedAt = useRef(Number.NEGATIVE_INFINITY);
	useLayoutEffect(() => {
		if (asked !== null) askedAt.current = performance.now();
	}, [asked]);
	return () => asked === null || performance.now() - askedAt.current >= SAME_PRESS_MS;
}

function Editor({ selection }: { selection: Selection }): ReactElement {
	const draft = useDraft(selection);
	const key = keyOf(selection);
	const refusal = selection.phase.kind === 'editing' ? selection.phase.refusal : null;
	/** The id of what is said against a number. */
	const saidOf = (number: FormNumber) =>
		selection.phase.kind === 'editing' && selection.phase.about === number ? `${key}-refusal` : undefined;
	const [form, lead] = useRefusedFocus();
	const leave = () => removeSelection(key);
	const { decision, isAtStart } = draft;
	const isSteady = useSteadyOffer(decision.kind === 'ask' ? decision.best : null);
	return (
		<form
			ref={form}
			onSubmit={(event) => {
				event.preventDefault();
				// A press that was on its way when the odds moved accepts nothing.
				if (draft.reason !== null || !isSteady()) return;
				// The bet is placed at the price on the button.
				const price = isAtStart
					? null
					: decision.kind === 'ask'
						? decision.best
						: decision.kind === 'go'
							? decision.price
							: null;
				if (price !== null && price !== selection.price) acceptPrice(key, price);
				void placeSelection(key).then((refused) => refused !== null && lead());
			}}
			className="flex flex-col gap-2 p-3 pt-2"
		>
			<div className="grid grid-cols-2 gap-2">
				{isAtStart ? (
					<StartEstimate selection={selection} />
				) : (
					<OddsField
						price={selection.price}
						quoting={selection.quoting}
						ladder={selection.ladder}
						now={draft.best === null ? null : { price: draft.best, move: draft.bestMove }}
						onPrice={(price) => setPrice(key, price)}
						onMove={(ticks) => movePrice(key, ticks)}
						onEscape={leave}
						wrongBy={saidOf('odds')}
					/>
				)}
				<StakeField
					selection={selection}
					label={isAtStart && selection.side === 'LAY' ? words.liability : words.stake}
					onEscape={leave}
					maxStake={draft.maxStake}
					limits={draft.limits}
					wrongBy={draft.stakeIsWrong ? `${key}-reason` : saidOf('amount')}
				/>
			</div>
			{draft.preview?.ifPlaced !== undefined && <p className="text-xs text-muted">{words.eachWayStake}</p>}
			<BetAmounts side={selection.side} preview={draft.preview} isProfitKnown={!isAtStart} />
			{draft.rests && <BetOptionFields selection={selection} taken={draft.taken} />}
			<p id={`${key}-refusal`} role="alert" className="text-loss empty:hidden">
				{refusal}
			</p>
			<PlaceButton selection={selection} draft={draft} />
		</form>
	);
}

/** With the names of the market as the page has them: those of the slip were kept in the language of the press. */
function useNamed(selection: Selection): Selection {
	const { eventId, marketId, runnerId } = selection;
	const { data } = useQuery(eventMarketsQuery(eventId));
	const market = data?.markets.find(({ id }) => id === marketId);
	if (!data || !market) return selection;
	const runner = market.runners.find(({ id }) => id === runnerId);
	const runnerName = runner && selection.quoting !== 'LINE' ? runner.name : selection.runnerName;
	return { ...selection, eventTitle: data.event.title, marketName: market.name, runnerName };
}

/** One selection: edited, in flight, of unknown outcome, or placed. */
export function SlipCard({ selection: kept }: { selection: Selection }): ReactElement {
	const selection = useNamed(kept);
	const { phase } = selection;
	return (
		<section
			className="slip-card"
			data-side={selection.side}
			aria-label={`${sideWord(selection.side, selection.quoting)} ${selection.runnerName}`}
		>
			<Title selection={selection} />
			<output>{phase.kind === 'placed' && <PlacedResult selection={selection} placed={phase} />}</output>
			{(phase.kind === 'editing' || phase.kind === 'pending') && <Editor selection={selection} />}
			{phase.kind === 'unknown' && (
				<div className="flex flex-col gap-2 p-3">
					<p role="alert" className="text-suspended">
						{words.unknown}
					</p>
					<Button variant="primary" onClick={() => void placeSelection(keyOf(selection))}>
						{words.again}
					</Button>
				</div>
			)}
			{phase.kind === 'placed' && <PlacedActions selection={selection} />}
		</section>
	);
}
