import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import type { Price } from '#values/price-ladder.ts';
import { isBetter } from '#web/betting/odds-policy.ts';
import { keyOf, type Selection } from '#web/betting/selection.ts';
import { BetAmounts } from '#web/features/bet-slip/bet-amounts.tsx';
import { type Draft, useDraft } from '#web/features/bet-slip/draft.ts';
import { OddsField } from '#web/features/bet-slip/odds-field.tsx';
import { PendingButton } from '#web/features/bet-slip/pending-button.tsx';
import { PlacedActions, PlacedResult } from '#web/features/bet-slip/placed-result.tsx';
import { StakeField } from '#web/features/bet-slip/stake-field.tsx';
import { formatMoney, formatQuote } from '#web/format.ts';
import { BetOptionFields } from '#web/orders/bet-option-fields.tsx';
import { placeSelection } from '#web/orders/place-selection.ts';
import { openLoginDialog } from '#web/store/dialogs.ts';
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

/** Moved odds are reported only for a picked price; a price of the player's own was never on offer. */
function offerWords({ side, price, ownPrice, ...selection }: Selection, best: Price | null): string {
	if (best === null) return words.gone;
	const offered = formatQuote(best, selection.quoting);
	if (ownPrice) return SLIP_WORDS.onOffer(offered);
	return (isBetter(side, best, price) ? SLIP_WORDS.movedBetter : SLIP_WORDS.movedWorse)(offered);
}

/**
 * Reports that the market left the picked price, and lets the player accept the new price or keep the old one, as the
 * policy requires.
 */
function Moved({ selection, draft }: { selection: Selection; draft: Draft }): ReactElement | null {
	const key = keyOf(selection);
	const { decision, best, rests } = draft;
	if (decision.kind === 'gone') return <p className="slip-moved">{SLIP_WORDS.houseGone}</p>;
	if (decision.kind === 'go') {
		if (decision.price === selection.price) return null;
		return <p className="slip-moved">{SLIP_WORDS.follows(quote(selection, decision.price))}</p>;
	}
	return (
		<div className="slip-moved">
			<p className="min-w-0 flex-1 basis-40">
				{offerWords(selection, best)} {decision.kind === 'rest' && words.waits}
			</p>
			{best !== null && (
				<Button size="small" variant="primary" onClick={() => acceptPrice(key, best)}>
					{SLIP_WORDS.accept(quote(selection, best))}
				</Button>
			)}
			{decision.kind === 'ask' && rests && (
				<Button size="small" onClick={() => keepPrice(key)}>
					{SLIP_WORDS.keepOld(quote(selection, selection.price))}
				</Button>
			)}
		</div>
	);
}

function PlaceButton({ selection, draft }: { selection: Selection; draft: Draft }): ReactElement {
	const key = keyOf(selection);
	const { preview, reason, decision } = draft;
	const side = sideWord(selection.side, selection.quoting);
	const price = quote(selection, decision.kind === 'go' ? decision.price : selection.price);
	const bet = `${side} ${betWords(selection.runnerName, price, selection.quoting)}`;
	const isVisitor = useSession((state) => state.user === null);
	if (isVisitor) {
		return (
			<Button variant="primary" className="w-full" onClick={() => openLoginDialog()}>
				{words.logIn}
			</Button>
		);
	}
	if (selection.phase.kind === 'pending') return <PendingButton selection={selection} delay={draft.betDelaySeconds} />;
	return (
		<>
			<Button
				type="submit"
				variant={selection.side === 'BACK' ? 'back' : 'lay'}
				className="w-full py-2 whitespace-normal"
				disabled={reason !== null}
				aria-describedby={`${key}-reason`}
			>
				{preview ? words.place(bet, formatMoney(preview.liability)) : bet}
			</Button>
			<p
				id={`${key}-reason`}
				className={`min-h-4 text-center text-xs ${draft.reasonIsError ? 'text-loss' : 'text-muted'}`}
			>
				{reason}
			</p>
		</>
	);
}

function Editor({ selection }: { selection: Selection }): ReactElement {
	const draft = useDraft(selection);
	const key = keyOf(selection);
	const refusal = selection.phase.kind === 'editing' ? selection.phase.refusal : null;
	const leave = () => removeSelection(key);
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				if (draft.reason !== null) return;
				// A policy that follows the odds places the bet at the price on the button.
				if (draft.decision.kind === 'go' && draft.decision.price !== selection.price)
					acceptPrice(key, draft.decision.price);
				void placeSelection(key);
			}}
			className="flex flex-col gap-2 p-3 pt-2"
		>
			<div className="grid grid-cols-2 gap-2">
				<OddsField
					price={selection.price}
					quoting={selection.quoting}
					ladder={selection.ladder}
					now={draft.best === null ? null : { price: draft.best, move: draft.bestMove }}
					onPrice={(price) => setPrice(key, price)}
					onMove={(ticks) => movePrice(key, ticks)}
					onEscape={leave}
				/>
				<StakeField selection={selection} onEscape={leave} maxStake={draft.maxStake} limits={draft.limits} />
			</div>
			<Moved selection={selection} draft={draft} />
			{draft.preview?.ifPlaced !== undefined && <p className="text-xs text-muted">{SLIP_WORDS.eachWayStake}</p>}
			<BetAmounts side={selection.side} preview={draft.preview} />
			{draft.rests && <BetOptionFields selection={selection} canKeep={draft.canKeep} />}
			<p role="alert" className="text-loss empty:hidden">
				{refusal}
			</p>
			<PlaceButton selection={selection} draft={draft} />
		</form>
	);
}

/** One selection: edited, in flight, of unknown outcome, or placed. */
export function SlipCard({ selection }: { selection: Selection }): ReactElement {
	const { phase } = selection;
	return (
		<section
			className="slip-card"
			data-side={selection.side}
			aria-label={`${sideWord(selection.side, selection.quoting)} ${selection.runnerName}`}
		>
			<Title selection={selection} />
			<output>{phase.kind === 'placed' && <PlacedResult selection={selection} bet={phase.bet} />}</output>
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
