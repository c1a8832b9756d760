import { type ReactElement, useState } from 'react';
import { BetEdit } from '#ui/bet-edit.tsx';
import { Button } from '#ui/button.tsx';
import { OrderButtons } from '#ui/order-buttons.tsx';
import type { Market, OpenBet } from '#web/api/answers.ts';
import { ladderTermsOf } from '#web/betting/market-ladder.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { cancelAll } from '#web/orders/change-bets.ts';
import { useBetEdit, useCancel } from '#web/orders/resting-bet.ts';
import { termWords } from '#web/orders/term-words.ts';
import { showNotice } from '#web/store/notices.ts';
import { betWords, sideWord } from '#web/texts/bet-words.ts';
import { BET_WORDS, EDIT_WORDS, MARKET_WORDS, SLIP_WORDS } from '#web/texts/more.ts';
import './own.css';
import { SYMBOL } from '#web/currency.ts';

const EDIT = { ...EDIT_WORDS, symbol: SYMBOL };

const words = BET_WORDS;

function Edit({ bet, market, onDone }: { bet: OpenBet; market: Market; onDone: () => void }): ReactElement {
	const edit = useBetEdit(bet, ladderTermsOf(market), (price) => {
		showNotice(words.replaced(formatQuote(price, market.lineRange ? 'SPREAD' : 'ODDS')), 'success');
		onDone();
	});
	return <BetEdit words={EDIT} edit={edit} onKeep={onDone} />;
}

/** An unmatched bet; one at the starting price has no odds yet, and can only be cancelled. */
export function OwnOrder({ bet, market, quoting }: { bet: OpenBet; market: Market; quoting: Quoting }): ReactElement {
	const [editing, setEditing] = useState(false);
	const { busy, cancel } = useCancel(bet, (amount) => words.cancelled(formatMoney(amount)));
	const side = sideWord(bet.side, quoting);
	const stake = formatMoney(bet.remainingStake);
	const waitsForStart = bet.onClose !== undefined;
	const price = waitsForStart ? words.start : formatQuote(bet.price, quoting);
	return (
		<li className="own-order" data-side={bet.side}>
			<p className="min-w-0 flex-1">
				<b className="own-side">{side}</b>{' '}
				{waitsForStart ? SLIP_WORDS.atStart(bet.runnerName) : betWords(bet.runnerName, price, quoting)} ·{' '}
				<span className="font-semibold">{stake}</span>
				<span className="block text-xs text-muted empty:hidden">{termWords(bet)}</span>
				{bet.status === 'PENDING' && <span className="text-suspended"> · {MARKET_WORDS.pending}</span>}
			</p>
			<OrderButtons
				words={{
					...words,
					editLabel: words.editLabel(side, bet.runnerName, price),
					cancelLabel: words.cancelLabel(side, bet.runnerName, stake, price),
				}}
				editing={editing}
				onEdit={waitsForStart ? null : () => setEditing(!editing)}
				cancelling={busy}
				onCancel={cancel}
			/>
			{editing && <Edit bet={bet} market={market} onDone={() => setEditing(false)} />}
		</li>
	);
}

/** The player's unmatched bets in this market, which can be changed without leaving the grid. */
export function OwnOrders({
	market,
	bets,
	quoting,
}: {
	market: Market;
	bets: readonly OpenBet[];
	quoting: Quoting;
}): ReactElement | null {
	const [busy, setBusy] = useState(false);
	const unmatched = bets.filter(({ remainingStake }) => remainingStake > 0);
	if (unmatched.length === 0) return null;
	async function cancelAllHere(): Promise<void> {
		setBusy(true);
		await cancelAll(market.id, (amount) => words.cancelled(formatMoney(amount)));
		setBusy(false);
	}
	return (
		<div className="own-orders">
			<div className="flex items-center gap-2">
				<h3 className="flex-1 text-xs font-semibold text-muted">{MARKET_WORDS.mine}</h3>
				{unmatched.length > 1 && (
					<Button size="small" variant="outline" busy={busy} onClick={() => void cancelAllHere()}>
						{MARKET_WORDS.cancelAllHere(unmatched.length)}
					</Button>
				)}
			</div>
			<ul>
				{unmatched.map((bet) => (
					<OwnOrder key={bet.betId} bet={bet} market={market} quoting={quoting} />
				))}
			</ul>
		</div>
	);
}
