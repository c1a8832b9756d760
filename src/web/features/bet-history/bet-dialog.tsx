import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Modal } from '#ui/modal.tsx';
import { quotingOfBet } from '#web/betting/quoting.ts';
import { type HistoryBet, numberResult, resultWord } from '#web/features/bet-history/bet-result.ts';
import { formatMoment, formatMoney, formatQuote, formatSigned } from '#web/format.ts';
import { reductionWords } from '#web/orders/reduction-words.ts';
import { betWords, sideWord } from '#web/texts/bet-words.ts';
import { ACCOUNT_TEXTS, SUPPORT_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = ACCOUNT_TEXTS.bet;

/** Names and figures of a bet; what does not apply is left out. */
function factsOf(bet: HistoryBet): [name: string, figure: string][] {
	const quoting = quotingOfBet(bet);
	const money = (name: string, amount: HistoryBet['stake']): [string, string][] =>
		amount > 0 ? [[name, formatMoney(amount)]] : [];
	const number = numberResult(bet);
	const reduction = reductionWords(bet, quoting);
	return [
		[words.id, bet.betId],
		[words.placed, formatMoment(bet.placedAt)],
		...(bet.matchedAt ? [[words.matched, formatMoment(bet.matchedAt)] as [string, string]] : []),
		...(bet.settledAt ? [[words.ended, formatMoment(bet.settledAt)] as [string, string]] : []),
		[words.asked, formatQuote(bet.price, quoting)],
		...(bet.averagePrice === null ? [] : [[words.average, formatQuote(bet.averagePrice, quoting)] as [string, string]]),
		...(reduction === null ? [] : [[words.nonRunner, reduction] as [string, string]]),
		[words.stake, formatMoney(bet.stake)],
		...money(words.matchedStake, bet.matchedStake),
		...money(words.cancelledStake, bet.cancelledStake),
		...money(words.lapsedStake, bet.lapsedStake),
		...money(words.voidedStake, bet.voidedStake),
		[words.result, number ? `${resultWord(bet)} · ${number}` : resultWord(bet)],
		[words.profit, formatSigned(bet.profit)],
		...money(words.commission, bet.commission),
	];
}

/** All details of one bet, with links to its match and to the statement. */
export function BetDialog({ bet, onClose }: { bet: HistoryBet; onClose: () => void }): ReactElement {
	const quoting = quotingOfBet(bet);
	const quote = formatQuote(bet.averagePrice ?? bet.price, quoting);
	return (
		<Modal
			open
			sheet
			onClose={onClose}
			title={`${sideWord(bet.side, quoting)} ${betWords(bet.runnerName, quote, quoting)}`}
			closeLabel={TEXTS.app.close}
		>
			<Link
				to="/markets/{-$eventid}/$dreamEventId"
				params={{ dreamEventId: bet.eventId }}
				className="block min-h-11 pb-2 underline"
			>
				<bdi className="font-semibold">{bet.eventTitle}</bdi>
				<span className="block text-xs text-muted">{bet.marketName}</span>
			</Link>
			<dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2">
				{factsOf(bet).map(([name, figure]) => (
					<div key={name} className="contents">
						<dt className="text-muted">{name}</dt>
						<dd className="text-right font-semibold">{figure}</dd>
					</div>
				))}
			</dl>
			<Link to="/account-cash-statement" className="mt-2 inline-flex min-h-11 items-center underline">
				{words.toStatement}
			</Link>
			<Link
				to="/messages"
				search={{ about: `bet-${bet.betId}` }}
				className="mt-2 ml-6 inline-flex min-h-11 items-center underline"
			>
				{SUPPORT_TEXTS.ask}
			</Link>
		</Modal>
	);
}
