import { useQuery } from '@tanstack/react-query';
import { type ReactElement, Suspense, useState } from 'react';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { ExportButton } from '#ui/export-button.tsx';
import { Figures, toneOf } from '#ui/figures.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { PeriodFilter } from '#ui/period-filter.tsx';
import { RecordScreen, usePagedFilter } from '#ui/record-screen.tsx';
import { minorOf } from '#values/money.ts';
import type { StatementPage } from '#web/api/answers.ts';
import { messageOf } from '#web/api/failure.ts';
import { ANY_TIME, boundsOf, type DateRange } from '#web/date-range.ts';
import { allRows, statementCsv } from '#web/features/statement/statement-file.ts';
import { formatDateTime, formatMoney, formatSigned } from '#web/format.ts';
import { brandZone } from '#web/store/brand-zone.ts';
import { showNotice } from '#web/store/notices.ts';
import { protectionQuery } from '#web/store/protection-queries.ts';
import { statementQuery } from '#web/store/record-queries.ts';
import { ACCOUNT_TEXTS, RECORD_WORDS, SCREEN_TEXTS } from '#web/texts/more.ts';
import { rowReference } from '#web/texts/row-reference.ts';
import { TEXTS } from '#web/texts.ts';
import './statement.css';

const TransactionDialog = lazyPart(async () => ({
	default: (await import('#web/features/statement/transaction-dialog.tsx')).TransactionDialog,
}));

const PAGE = 50;
const words = { ...ACCOUNT_TEXTS.statement, ...SCREEN_TEXTS.statementMore };
const KINDS: Readonly<Record<string, string>> = words.kinds;
/** Kinds that are found with another. */
const FOUND_WITH: Readonly<Record<string, string>> = {
	MARKET_REOPENED: 'MARKET_SETTLED',
	CASINO_RESERVED: 'CASINO',
	CASINO_RELEASED: 'CASINO',
	WITHDRAWAL_RESERVED: 'WITHDRAWAL',
	WITHDRAWAL_RELEASED: 'WITHDRAWAL',
	DISPUTE_RESERVED: 'DISPUTE',
	DISPUTE_RELEASED: 'DISPUTE',
};

type Row = StatementPage['items'][number];

interface Filter {
	/** Empty for all. */
	kind: string;
	range: DateRange;
}

const kindOf = ({ kind }: Row): string => KINDS[kind] ?? kind;

/** Holds and releases are neither profit nor loss. */
function toneClass({ category, amount }: Row): string | undefined {
	if (category === 'HELD') return 'text-muted';
	return amount < 0 ? 'text-loss' : amount > 0 ? 'text-profit' : undefined;
}

const asked = ({ kind, range }: Filter) => ({ ...boundsOf(range, brandZone()), ...(kind ? { kind } : {}) });

function Filters({ filter, onFilter }: { filter: Filter; onFilter: (part: Partial<Filter>) => void }): ReactElement {
	return (
		<>
			<FilterSelect
				label={words.kind}
				value={filter.kind}
				options={[
					{ value: '', text: words.everyKind },
					...Object.entries(KINDS)
						.filter(([kind]) => FOUND_WITH[kind] === undefined)
						.map(([value, text]) => ({ value, text })),
				]}
				onChange={(kind) => onFilter({ kind })}
			/>
			<PeriodFilter value={filter.range} words={TEXTS.filters} own="OWN" onChange={(range) => onFilter({ range })} />
		</>
	);
}

async function fileOf(filter: Filter): Promise<string> {
	const rows = (await allRows(asked(filter))).map((row) => ({ ...row, reference: rowReference(row) }));
	return statementCsv(rows, words.columns, words.kinds);
}

function Rows({ items, onOpen }: Pick<StatementPage, 'items'> & { onOpen: (row: Row) => void }): ReactElement {
	const columns = { ...words.columns, details: ACCOUNT_TEXTS.transaction.details };
	return (
		<table className="rows statement-rows">
			<ColumnHeads columns={columns} numbers={['amount', 'balance']} />
			<tbody>
				{items.map((row) => (
					<tr key={row.id} data-kind={row.kind}>
						<td data-label={columns.at}>
							<time dateTime={row.at}>{formatDateTime(row.at)}</time>
						</td>
						<td data-label={columns.kind}>{kindOf(row)}</td>
						<td data-label={columns.reference} className="text-muted">
							<bdi>{rowReference(row)}</bdi>
						</td>
						<td data-number data-label={columns.amount} className={toneClass(row)}>
							<b>{formatSigned(row.amount)}</b>
						</td>
						<td data-number data-label={columns.balance}>
							{formatMoney(row.balanceAfter)}
						</td>
						<td data-label={columns.details}>
							<button
								type="button"
								className="icon-button -my-2.5"
								aria-label={ACCOUNT_TEXTS.transaction.of(kindOf(row), rowReference(row))}
								onClick={() => onOpen(row)}
							>
								<Icon solid>chevron-right</Icon>
							</button>
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

function Sums({ credited, debited, held }: StatementPage): ReactElement {
	const change = minorOf(credited - debited - held);
	return (
		<Figures
			label={words.title}
			figures={[
				{ name: words.change, value: formatSigned(change), tone: toneOf(change) },
				{ name: words.credited, value: formatMoney(credited) },
				{ name: words.debited, value: formatMoney(debited) },
				{ name: words.held, value: formatSigned(held) },
			]}
		/>
	);
}

/** Over all rows, independent of the filters. */
function Standing(): ReactElement | null {
	const { data: standing } = useQuery(protectionQuery());
	if (!standing) return <span className="figures-line" />;
	return (
		<p className="figures-line">
			{words.netDeposits} <b>{formatMoney(standing.netDeposits)}</b> · {words.netPosition}{' '}
			<b className={`text-${toneOf(standing.netPosition) ?? 'text'}`}>{formatSigned(standing.netPosition)}</b>
		</p>
	);
}

/** /account-cash-statement: every movement of the free balance with the balance it left. */
export function StatementScreen(): ReactElement {
	const { filter, change, skip, setSkip } = usePagedFilter<Filter>({ kind: '', range: ANY_TIME });
	const page = useQuery(statementQuery({ ...asked(filter), maxResultCount: String(PAGE), skipCount: String(skip) }));
	const [opened, setOpened] = useState<Row | null>(null);
	const filtered = filter.kind !== '' || filter.range.period !== 'ALL';
	return (
		<RecordScreen
			title={words.title}
			beside={
				<ExportButton
					label={words.export}
					file={`${words.fileName}.csv`}
					make={() => fileOf(filter)}
					onFail={(failure) => showNotice(messageOf(failure), 'error')}
				/>
			}
			filters={<Filters filter={filter} onFilter={change} />}
			asked={page}
			empty={filtered ? { title: words.none, hint: null } : { title: words.empty, hint: words.emptyHint }}
			page={{ size: PAGE, skip, onSkip: setSkip }}
			words={RECORD_WORDS}
		>
			{(answer) => (
				<div className="flex flex-col gap-4">
					<Sums {...answer} />
					<p className="text-xs text-muted">{words.heldHint}</p>
					<Standing />
					<Rows items={answer.items} onOpen={setOpened} />
					{opened && (
						<Suspense fallback={null}>
							<TransactionDialog id={opened.id} title={kindOf(opened)} onClose={() => setOpened(null)} />
						</Suspense>
					)}
				</div>
			)}
		</RecordScreen>
	);
}
