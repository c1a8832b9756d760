import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { CashierPage } from '#web/features/cashier/cashier-page.tsx';
import { formatDateTime, formatMoment, formatMoney } from '#web/format.ts';
import { FUNDS, type FundsRow, fundsRowsQuery } from '#web/store/funds-queries.ts';
import { CASHIER_TEXTS, IDENTITY_TEXTS, RECORD_WORDS, SUPPORT_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASHIER_TEXTS.requests;
const PAGE = 25;
const TYPES = ['', 'DEPOSIT', 'WITHDRAWAL'] as const;
type Type = (typeof TYPES)[number];

const STATES: Readonly<Record<string, string>> = words.states;
const METHODS: Readonly<Record<string, string>> = words.methods;
const SAYS: Readonly<Record<string, string>> = words.says;
const ORDER_SAYS: Readonly<Record<string, string>> = CASHIER_TEXTS.order.says;
const stateName = (status: string): string => STATES[status] ?? status;

const TONES: Readonly<Record<string, 'good' | 'bad'>> = {
	SUCCESS: 'good',
	CREDITED: 'good',
	WON: 'good',
	APPROVED: 'good',
	PAID: 'good',
	FAILED: 'bad',
	EXPIRED: 'bad',
	REJECTED: 'bad',
	DUPLICATE: 'bad',
	REVERSED: 'bad',
	LOST: 'bad',
};

function CancelButton({ id }: { id: string }): ReactElement {
	const queries = useQueryClient();
	const cancelling = useMutation({
		mutationFn: () => call('cancelWithdrawal', { id }),
		onSettled: () => queries.invalidateQueries({ queryKey: FUNDS }),
	});
	return (
		<>
			<Button size="small" variant="outline" busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
				{words.cancel}
			</Button>
			{cancelling.error && <p role="alert">{messageOf(cancelling.error)}</p>}
		</>
	);
}

/**
 * The meaning of a state in plain words; a payment that arrived after its order had failed or expired is called late.
 */
function saysOf({ type, method, status, steps }: FundsRow): string {
	if (type === 'WITHDRAWAL') return status === 'FAILED' ? words.failed.WITHDRAWAL : (SAYS[status] ?? '');
	if (method !== 'UPI') return SAYS[status] ?? '';
	const isLate = status === 'SUCCESS' && steps.some((step) => step.status === 'FAILED' || step.status === 'EXPIRED');
	return isLate ? CASHIER_TEXTS.order.late : (ORDER_SAYS[status] ?? '');
}

/** A request with the steps it took so far. */
function Request({ row }: { row: FundsRow }): ReactElement {
	return (
		<li className="surface-card">
			<div className="request-head">
				<div>
					<h2>{words.one[row.type]}</h2>
					<p className="text-muted">
						{METHODS[row.method] ?? row.method} · {formatDateTime(row.createdAt)}
					</p>
				</div>
				<div>
					<strong>{formatMoney(row.amount)}</strong>
					<p className="request-state" data-tone={TONES[row.status]}>
						{stateName(row.status)}
					</p>
				</div>
			</div>
			{saysOf(row) && <p className="text-muted">{saysOf(row)}</p>}
			{row.status === 'WAITING_FOR_KYC' && (
				<p>
					<Link to="/identity">{IDENTITY_TEXTS.title}</Link>
				</p>
			)}
			{row.tax > 0 && <p>{words.tax(formatMoney(row.tax))}</p>}
			{row.note && <p>{row.note}</p>}
			<ol className="timeline" aria-label={words.timeline}>
				{row.steps.map(({ status, at }) => (
					<li key={`${status} ${at}`}>
						<span>{stateName(status)}</span>
						<time dateTime={at}>{formatMoment(at)}</time>
					</li>
				))}
			</ol>
			{row.reference && (
				<p className="request-reference">
					{words.reference}: {row.reference}
				</p>
			)}
			<p>
				<Link
					to="/messages"
					search={{ about: row.id.toLowerCase() }}
					className="inline-flex min-h-11 items-center underline"
				>
					{SUPPORT_TEXTS.ask}
				</Link>
			</p>
			{row.canCancel && <CancelButton id={row.id} />}
		</li>
	);
}

/** /dwrequests: the player's deposits and withdrawals, newest first; the hub keeps them current. */
export function RequestsScreen(): ReactElement {
	const [type, setType] = useState<Type>('');
	const [skip, setSkip] = useState(0);
	const asked = useQuery(fundsRowsQuery({ maxResultCount: PAGE, skipCount: skip, ...(type ? { type } : {}) }));
	return (
		<CashierPage title={CASHIER_TEXTS.requestsTitle}>
			<FilterSelect
				label={words.type}
				value={type}
				options={TYPES.map((value) => ({ value, text: words.types[value] }))}
				onChange={(next) => {
					setType(next);
					setSkip(0);
				}}
			/>
			<Loaded
				asked={asked}
				words={TEXTS.app}
				waiting={<Skeleton className="cashier-waiting" />}
				empty={
					<ScreenState icon="wallet" title={words.none}>
						{words.noneHint}
					</ScreenState>
				}
				isEmpty={({ items }) => items.length === 0}
			>
				{({ items, totalCount }) => (
					<>
						<ul className="requests">
							{items.map((row) => (
								<Request key={row.id} row={row} />
							))}
						</ul>
						<Pager skip={skip} size={PAGE} total={totalCount} onSkip={setSkip} words={RECORD_WORDS} />
					</>
				)}
			</Loaded>
		</CashierPage>
	);
}
