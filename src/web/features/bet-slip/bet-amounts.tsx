import type { ReactElement } from 'react';
import { type Minor, minorOf } from '#values/money.ts';
import type { Side } from '#values/sides.ts';
import type { BetPreview } from '#web/betting/position.ts';
import { formatMoney, formatSigned } from '#web/format.ts';
import { useWallet } from '#web/store/wallet.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** The bet's largest profit and loss, and the amount taken from the free balance, updated at each keystroke. */
export function BetAmounts({
	side,
	preview,
	isProfitKnown,
}: {
	side: Side;
	preview: BetPreview | null;
	/** Not before the auction, of a bet at the starting price. */
	isProfitKnown: boolean;
}): ReactElement {
	const free = useWallet((wallet) => wallet.balance);
	const money = (amount: Minor | undefined) => (amount === undefined ? '–' : formatMoney(minorOf(Math.abs(amount))));
	const frees = preview !== null && preview.cost < 0;
	return (
		<dl className="slip-amounts">
			<dt>{SLIP_WORDS.profit}</dt>
			<dd className="text-profit">{money(isProfitKnown ? preview?.profit : undefined)}</dd>
			<dt>{side === 'LAY' ? SLIP_WORDS.liability : SLIP_WORDS.risk}</dt>
			<dd className="text-loss">{money(preview?.liability)}</dd>
			{preview?.ifPlaced !== undefined && (
				<>
					<dt>{SLIP_WORDS.ifPlaced}</dt>
					<dd>{formatSigned(preview.ifPlaced)}</dd>
				</>
			)}
			<dt>{frees ? SLIP_WORDS.frees : SLIP_WORDS.cost}</dt>
			<dd>
				{money(preview?.cost)} <span className="font-normal text-muted">{SLIP_WORDS.free(formatMoney(free))}</span>
			</dd>
		</dl>
	);
}
