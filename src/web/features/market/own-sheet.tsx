import type { ReactElement } from 'react';
import { Modal } from '#ui/modal.tsx';
import type { Market } from '#web/api/answers.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { CashOut } from '#web/features/market/cash-out.tsx';
import { NumberBook } from '#web/features/market/number-book.tsx';
import { OwnOrders } from '#web/features/market/own-orders.tsx';
import { canCashOut, type OwnResults } from '#web/features/market/own-results.ts';
import { formatSigned } from '#web/format.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

/** The player's part of one market: its result, the unmatched bets, and the cash-out. */
export function OwnSheet({
	market,
	results,
	quoting,
	onClose,
}: {
	market: Market;
	results: OwnResults;
	quoting: Quoting;
	onClose: () => void;
}): ReactElement {
	const book = quoting === 'SPREAD' ? (results.whatIf ?? results.now) : null;
	const unmatched = results.bets.some(({ remainingStake }) => remainingStake > 0);
	const cashes = canCashOut(market, results);
	return (
		<Modal open sheet onClose={onClose} title={MARKET_WORDS.ownTitle(market.name)} closeLabel={TEXTS.app.close}>
			{results.level !== null && <p>{GRID_WORDS.cashOutAfter(formatSigned(results.level))}</p>}
			{book && <NumberBook market={market} nets={book} />}
			<OwnOrders market={market} bets={results.bets} quoting={quoting} />
			{cashes && <CashOut market={market} onDone={onClose} />}
			{!unmatched && !cashes && results.level === null && !book && (
				<p className="text-muted">{MARKET_WORDS.ownNothing}</p>
			)}
		</Modal>
	);
}
