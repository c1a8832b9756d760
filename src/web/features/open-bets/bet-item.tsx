import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { EditPrice } from '#web/features/open-bets/edit-price.tsx';
import { formatMoney, formatPrice } from '#web/format.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import type { OpenBet } from '#web/store/queries.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.bets;

/** Cancels what waits; the request id stands for this bet's whole rest, so a second press cannot do more. */
function useCancel(bet: OpenBet): { busy: boolean; cancel: () => Promise<void> } {
	const [busy, setBusy] = useState(false);
	async function cancel(): Promise<void> {
		if (busy) return;
		setBusy(true);
		const askedAt = performance.now();
		try {
			const clientRequestId = `cancel-${bet.betId}-${Math.round(bet.remainingStake * 100)}`.slice(0, 64);
			const done = await call('cancelBet', { betId: bet.betId, clientRequestId });
			showAnsweredWallet(done.balance, done.exposure, askedAt);
			showNotice(words.cancelled(formatMoney(done.cancelledStake)), 'success');
		} catch (failure) {
			showNotice(messageOf(failure), 'error');
		} finally {
			refreshBets();
			setBusy(false);
		}
	}
	return { busy, cancel };
}

/** What the part of the bet that is shown here wins and risks, major units. */
function amountsOf({ side }: OpenBet, stake: number, price: number): { wins: number; risks: number } {
	const other = Math.round(stake * (price - 1) * 100) / 100;
	return side === 'BACK' ? { wins: other, risks: stake } : { wins: stake, risks: other };
}

/** One bet's waiting or matched part; what waits can be taken back or asked at other odds. */
export function BetItem({ bet, part }: { bet: OpenBet; part: 'unmatched' | 'matched' }): ReactElement {
	const { busy, cancel } = useCancel(bet);
	const [editing, setEditing] = useState(false);
	const waiting = part === 'unmatched';
	const stake = waiting ? bet.remainingStake : bet.matchedStake;
	const price = waiting ? bet.price : (bet.averagePrice ?? bet.price);
	const { wins, risks } = amountsOf(bet, stake, price);
	const side = bet.side === 'BACK' ? TEXTS.slip.back : TEXTS.slip.lay;
	return (
		<li data-side={bet.side} data-bet={bet.betId} data-part={part}>
			<div className="bet-item">
				<div className="min-w-0 flex-1">
					<p className="truncate">
						<b className="bet-side">{side}</b> <span className="font-semibold">{bet.runnerName}</span>
					</p>
					<p>{words.at(formatMoney(stake), formatPrice(price))}</p>
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
							aria-label={words.editLabel(side, bet.runnerName, formatPrice(price))}
							onClick={() => setEditing(!editing)}
						>
							{words.edit}
						</Button>
						<Button
							size="small"
							variant="danger"
							busy={busy}
							aria-label={words.cancelLabel(side, bet.runnerName, formatMoney(stake), formatPrice(price))}
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
