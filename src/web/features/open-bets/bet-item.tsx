import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { EditPrice } from '#web/features/open-bets/edit-price.tsx';
import { formatMoney, formatQuote } from '#web/format.ts';
import { useBetQuoting } from '#web/store/bet-quoting.ts';
import { cancelBet } from '#web/store/orders.ts';
import type { OpenBet } from '#web/store/queries.ts';
import { sideWord } from '#web/texts/slip.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.bets;

/** What the part of the bet that is shown here wins and risks, major units. */
function amountsOf({ side }: OpenBet, stake: number, price: number): { wins: number; risks: number } {
	const other = Math.round(stake * (price - 1) * 100) / 100;
	return side === 'BACK' ? { wins: other, risks: stake } : { wins: stake, risks: other };
}

/** One bet's waiting or matched part; what waits can be taken back or asked at other odds. */
export function BetItem({ bet, part }: { bet: OpenBet; part: 'unmatched' | 'matched' }): ReactElement {
	const [busy, setBusy] = useState(false);
	const quoting = useBetQuoting(bet);
	const [editing, setEditing] = useState(false);
	const waiting = part === 'unmatched';
	const stake = waiting ? bet.remainingStake : bet.matchedStake;
	const price = waiting ? bet.price : (bet.averagePrice ?? bet.price);
	const { wins, risks } = amountsOf(bet, stake, price);
	const side = sideWord(bet.side, quoting);
	const quote = formatQuote(price, quoting);
	async function cancel(): Promise<void> {
		if (busy) return;
		setBusy(true);
		await cancelBet(bet, (amount) => words.cancelled(formatMoney(amount)));
		setBusy(false);
	}
	return (
		<li data-side={bet.side} data-bet={bet.betId} data-part={part}>
			<div className="bet-item">
				<div className="min-w-0 flex-1">
					<p className="truncate">
						<b className="bet-side">{side}</b> <span className="font-semibold">{bet.runnerName}</span>
					</p>
					<p>{words.at(formatMoney(stake), quote)}</p>
					<p className="text-xs text-muted" title={words.reference(bet.betId)}>
						{words.wins} {formatMoney(wins)} · {words.risks} {formatMoney(risks)}
					</p>
					{bet.status === 'PENDING' && <p className="text-xs text-suspended">{words.pending}</p>}
				</div>
				{waiting && (
					<div className="flex flex-none flex-col gap-1">
						<Button
							size="small"
							aria-expanded={editing}
							aria-label={words.editLabel(side, bet.runnerName, quote)}
							onClick={() => setEditing(!editing)}
						>
							{words.edit}
						</Button>
						<Button
							size="small"
							variant="danger"
							busy={busy}
							aria-label={words.cancelLabel(side, bet.runnerName, formatMoney(stake), quote)}
							onClick={() => void cancel()}
						>
							{words.cancel}
						</Button>
					</div>
				)}
			</div>
			{waiting && editing && <EditPrice bet={bet} onDone={() => setEditing(false)} />}
		</li>
	);
}
