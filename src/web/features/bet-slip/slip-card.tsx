import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { BetAmounts } from '#web/features/bet-slip/bet-amounts.tsx';
import { type Draft, useDraft } from '#web/features/bet-slip/draft.ts';
import { OddsField } from '#web/features/bet-slip/odds-field.tsx';
import { PendingButton } from '#web/features/bet-slip/pending-button.tsx';
import { PlacedResult } from '#web/features/bet-slip/placed-result.tsx';
import { StakeField } from '#web/features/bet-slip/stake-field.tsx';
import { formatMoney, formatPrice } from '#web/format.ts';
import { keyOf, movePrice, placeSelection, removeSelection, type Selection, setPrice } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.slip;
const sideWord = ({ side }: Selection): string => (side === 'BACK' ? words.back : words.lay);

function Title({ selection }: { selection: Selection }): ReactElement {
	return (
		<div className="slip-head" data-side={selection.side}>
			<span className="slip-side">{sideWord(selection)}</span>
			<div className="min-w-0 flex-1">
				<h3 className="truncate font-semibold">{selection.runnerName}</h3>
				<p className="truncate text-xs text-muted">
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

/** The market left the price that was picked: say so, and offer the price that is there. */
function Moved({ selection, draft }: { selection: Selection; draft: Draft }): ReactElement | null {
	if (!draft.waits) return null;
	const { best } = draft;
	return (
		<div className="slip-moved">
			<p className="min-w-0 flex-1">
				{best === null ? words.gone : words.moved(formatPrice(decimalFromPrice(best)))} {words.waits}
			</p>
			{best !== null && (
				<Button size="small" onClick={() => setPrice(keyOf(selection), best)}>
					{words.take(formatPrice(decimalFromPrice(best)))}
				</Button>
			)}
		</div>
	);
}

function PlaceButton({ selection, draft }: { selection: Selection; draft: Draft }): ReactElement {
	const key = keyOf(selection);
	const price = formatPrice(decimalFromPrice(selection.price));
	const { preview, reason } = draft;
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
				{preview
					? words.place(sideWord(selection), selection.runnerName, price, formatMoney(preview.liability / 100))
					: words.placeEmpty(sideWord(selection), selection.runnerName, price)}
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
				if (draft.reason === null) void placeSelection(key);
			}}
			className="flex flex-col gap-2 p-3 pt-2"
		>
			<div className="grid grid-cols-2 gap-2">
				<OddsField
					price={selection.price}
					onPrice={(price) => setPrice(key, price)}
					onMove={(rungs) => movePrice(key, rungs)}
					onEscape={leave}
				/>
				<StakeField selection={selection} onEscape={leave} maxStake={draft.maxStake} limits={draft.limits} />
			</div>
			<Moved selection={selection} draft={draft} />
			<BetAmounts side={selection.side} preview={draft.preview} />
			<p role="alert" className="text-loss empty:hidden">
				{refusal}
			</p>
			<PlaceButton selection={selection} draft={draft} />
		</form>
	);
}

/** One selection: edited, under way, of unknown outcome, or placed. */
export function SlipCard({ selection }: { selection: Selection }): ReactElement {
	const { phase } = selection;
	return (
		<section
			className="slip-card"
			data-side={selection.side}
			aria-label={`${sideWord(selection)} ${selection.runnerName}`}
		>
			<Title selection={selection} />
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
			{phase.kind === 'placed' && <PlacedResult selection={selection} bet={phase.bet} />}
		</section>
	);
}
