import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Loaded } from '#ui/loaded.tsx';
import { Modal } from '#ui/modal.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { TransactionDetail } from '#web/api/answers.ts';
import { quotingOfBet } from '#web/betting/quoting.ts';
import { formatDateTime, formatMoney, formatQuote, formatSigned } from '#web/format.ts';
import { transactionQuery } from '#web/store/record-queries.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { ACCOUNT_TEXTS, RECORD_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = ACCOUNT_TEXTS.transaction;
const KINDS: Readonly<Record<string, string>> = ACCOUNT_TEXTS.statement.kinds;
const ACCOUNTS: Readonly<Record<string, string>> = words.accounts;
const kindOf = (kind: string): string => KINDS[kind] ?? kind;
const accountOf = (account: string): string => ACCOUNTS[account] ?? words.house;

function Postings({ postings }: Pick<TransactionDetail, 'postings'>): ReactElement {
	return (
		<section aria-label={words.postings}>
			<h3 className="section-title">{words.postings}</h3>
			<ul className="transaction-list">
				{postings.map(({ kind, debit, credit, amount }) => (
					<li key={`${kind} ${debit} ${credit} ${amount}`}>
						<span className="min-w-0 flex-1">
							{kindOf(kind)}
							<span className="block text-xs text-muted">{words.moved(accountOf(debit), accountOf(credit))}</span>
						</span>
						<b>{formatMoney(amount)}</b>
					</li>
				))}
			</ul>
		</section>
	);
}

function Bets({ bets, market }: Pick<TransactionDetail, 'bets' | 'market'>): ReactElement {
	const quoting = market ? quotingOfBet(market) : 'ODDS';
	return (
		<section aria-label={words.bets}>
			<h3 className="section-title">{words.bets}</h3>
			<ul className="transaction-list">
				{bets.map(({ betId, side, runnerName, price, averagePrice, stake, matchedStake, result, profit }) => (
					<li key={betId} data-bet={betId}>
						<Link to={result ? '/bet-history' : '/open-bets'} className="transaction-link">
							<span>
								{sideWord(side, quoting)} <bdi className="font-semibold">{runnerName}</bdi>
							</span>
							<span className="block text-xs text-muted">
								{words.bet(
									formatMoney(matchedStake > 0 ? matchedStake : stake),
									formatQuote(averagePrice ?? price, quoting),
									betId,
								)}
							</span>
						</Link>
						<span className="text-right">
							{result ? ACCOUNT_TEXTS.history.results[result] : words.open}
							{profit !== null && (
								<b className={`block ${profit < 0 ? 'text-loss' : 'text-profit'}`}>{formatSigned(profit)}</b>
							)}
						</span>
					</li>
				))}
			</ul>
		</section>
	);
}

function Detail({ detail }: { detail: TransactionDetail }): ReactElement {
	const { market, postings, bets } = detail;
	return (
		<div className="flex flex-col gap-4">
			<p>
				<b className={detail.amount < 0 ? 'text-loss' : 'text-profit'}>{formatSigned(detail.amount)}</b> ·{' '}
				{words.balanceAfter(formatMoney(detail.balanceAfter))}
				<span className="block text-xs text-muted">{formatDateTime(detail.at)}</span>
			</p>
			{market && (
				<Link
					to="/markets/{-$eventid}/$dreamEventId"
					params={{ dreamEventId: market.eventId }}
					className="transaction-link"
				>
					<bdi className="font-semibold">{market.eventTitle}</bdi>
					<span className="block text-xs text-muted">{market.name}</span>
				</Link>
			)}
			{detail.game !== null && (
				<Link to="/fairness" search={{ round: detail.reference }} className="transaction-link">
					{words.round}
				</Link>
			)}
			<Postings postings={postings} />
			{bets.length > 0 && <Bets bets={bets} market={market} />}
		</div>
	);
}

/** One row of the statement: its postings, its market and the bets behind it. */
export function TransactionDialog({
	id,
	title,
	onClose,
}: {
	id: string;
	title: string;
	onClose: () => void;
}): ReactElement {
	const asked = useQuery(transactionQuery(id));
	return (
		<Modal open onClose={onClose} title={title} closeLabel={TEXTS.app.close} size="large" sheet>
			<Loaded
				asked={asked}
				words={RECORD_WORDS}
				waiting={<Skeleton className="h-48 w-full" />}
				isEmpty={() => false}
				empty={null}
			>
				{(detail) => <Detail detail={detail} />}
			</Loaded>
		</Modal>
	);
}
