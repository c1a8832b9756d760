import { type ReactElement, useState } from 'react';
import { BetEdit } from '#ui/bet-edit.tsx';
import { OrderButtons } from '#ui/order-buttons.tsx';
import type { OpenBet } from '#web/api/answers.ts';
import { type BetPart, rangeOfPart } from '#web/betting/bet-part.ts';
import { SYMBOL } from '#web/currency.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { type BetMarket, useBetMarket } from '#web/orders/bet-market.ts';
import { reductionWords } from '#web/orders/reduction-words.ts';
import { useBetEdit, useCancel } from '#web/orders/resting-bet.ts';
import { termWords } from '#web/orders/term-words.ts';
import { showNotice } from '#web/store/notices.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { BET_WORDS, EDIT_WORDS } from '#web/texts/more.ts';

const WORDS = { ...EDIT_WORDS, symbol: SYMBOL };

const words = BET_WORDS;

function Edit({ bet, market, onDone }: { bet: OpenBet; market: BetMarket; onDone: () => void }): ReactElement {
	const edit = useBetEdit(bet, market.ladder, (price) => {
		showNotice(words.replaced(formatQuote(price, market.quoting === 'SPREAD' ? 'SPREAD' : 'ODDS')), 'success');
		onDone();
	});
	return <BetEdit words={WORDS} edit={edit} onKeep={onDone} />;
}

/** The unmatched or matched part of a bet; the unmatched part can be cancelled or replaced at new odds. */
export function BetItem({ bet, part }: { bet: OpenBet; part: BetPart }): ReactElement {
	const market = useBetMarket(bet);
	const { quoting } = market;
	const { busy, cancel } = useCancel(bet, (amount) => words.cancelled(formatMoney(amount)));
	const [editing, setEditing] = useState(false);
	const isUnmatched = part === 'unmatched';
	const stake = isUnmatched ? bet.remainingStake : bet.matchedStake;
	const price = isUnmatched ? bet.price : (bet.averagePrice ?? bet.price);
	const { profit, liability } = rangeOfPart(bet, market, part);
	const side = sideWord(bet.side, quoting);
	const waitsForStart = isUnmatched && bet.onClose !== undefined;
	const quote = waitsForStart ? words.start : formatQuote(price, quoting);
	return (
		<li data-side={bet.side} data-bet={bet.betId} data-part={part}>
			<div className="bet-item">
				<div className="min-w-0 flex-1">
					<p className="truncate">
						<b className="bet-side">{side}</b> <span className="font-semibold">{bet.runnerName}</span>
					</p>
					<p>{words.at(formatMoney(stake), quote)}</p>
					<p className="text-xs text-muted" title={words.reference(bet.betId)}>
						{!waitsForStart && `${words.wins} ${formatMoney(profit)} · `}
						{words.risks} {formatMoney(liability)}
					</p>
					{!isUnmatched && <p className="text-xs text-muted empty:hidden">{reductionWords(bet, quoting)}</p>}
					{isUnmatched && <p className="text-xs text-muted empty:hidden">{termWords(bet)}</p>}
					{bet.status === 'PENDING' && <p className="text-xs text-suspended">{words.pending}</p>}
				</div>
				{isUnmatched && (
					<div className="flex flex-none flex-col gap-1">
						<OrderButtons
							words={{
								...words,
								editLabel: words.editLabel(side, bet.runnerName, quote),
								cancelLabel: words.cancelLabel(side, bet.runnerName, formatMoney(stake), quote),
							}}
							editing={editing}
							onEdit={waitsForStart ? null : () => setEditing(!editing)}
							cancelling={busy}
							onCancel={cancel}
						/>
					</div>
				)}
			</div>
			{isUnmatched && editing && <Edit bet={bet} market={market} onDone={() => setEditing(false)} />}
		</li>
	);
}
