import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { ExportButton } from '#ui/export-button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { PeriodFilter } from '#ui/period-filter.tsx';
import { RecordScreen, usePagedFilter } from '#ui/record-screen.tsx';
import type { ActivityPage } from '#web/api/answers.ts';
import { messageOf } from '#web/api/failure.ts';
import { ANY_TIME, boundsOf, type DateRange } from '#web/date-range.ts';
import { activityCsv, allActivity } from '#web/features/activity/activity-file.ts';
import { activityWords } from '#web/features/activity/activity-words.ts';
import { formatMoment, formatMoney } from '#web/format.ts';
import { brandZone } from '#web/store/brand-zone.ts';
import { showNotice } from '#web/store/notices.ts';
import { activityQuery } from '#web/store/record-queries.ts';
import { ACTIVITY_TEXTS, RECORD_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './activity.css';

const PAGE = 50;
const words = ACTIVITY_TEXTS;

type Row = ActivityPage['items'][number];
type Kind = Row['kind'];

interface Filter {
	/** Empty for all. */
	kind: Kind | '';
	range: DateRange;
}

const asked = ({ kind, range }: Filter) => ({ ...boundsOf(range, brandZone()), ...(kind ? { kind } : {}) });

/** What a thief of the password would do. */
const mayBeStranger = ({ kind, what }: Row): boolean =>
	kind === 'DEVICE' ||
	kind === 'API_KEY' ||
	what === 'FAILURE' ||
	what === 'PASSWORD_CHANGED' ||
	what === 'PASSKEY_ADDED' ||
	what === 'AUTHENTICATOR_REMOVED' ||
	what === 'RECOVERY_CODE_USED' ||
	what === 'CODE_REUSED';

function Rows({ items }: Pick<ActivityPage, 'items'>): ReactElement {
	const { columns } = words;
	return (
		<table className="rows activity-rows">
			<ColumnHeads columns={columns} numbers={['amount']} />
			<tbody>
				{items.map((row) => (
					<tr key={row.id} data-kind={row.kind}>
						<td data-label={columns.at}>
							<time dateTime={row.at}>{formatMoment(row.at)}</time>
						</td>
						<td data-label={columns.kind}>
							{activityWords(row)}
							{mayBeStranger(row) && (
								<Link to="/change-password" className="activity-not-you">
									{words.notYou}
								</Link>
							)}
						</td>
						<td data-label={columns.reference} className="text-muted">
							{row.reference && <bdi>{row.reference}</bdi>}
						</td>
						<td data-number data-label={columns.amount}>
							{row.amount === null ? '' : formatMoney(row.amount)}
						</td>
						<td data-label={columns.userIp} className="text-muted">
							{row.userIp}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

function Filters({ filter, onFilter }: { filter: Filter; onFilter: (part: Partial<Filter>) => void }): ReactElement {
	const kinds = Object.entries(words.kinds).map(([value, text]) => ({ value: value as Kind, text }));
	return (
		<>
			<FilterSelect<Kind | ''>
				label={words.columns.kind}
				value={filter.kind}
				options={[{ value: '', text: words.every }, ...kinds]}
				onChange={(kind) => onFilter({ kind })}
			/>
			<PeriodFilter value={filter.range} words={TEXTS.filters} own="OWN" onChange={(range) => onFilter({ range })} />
		</>
	);
}

/** /activity: log-ins, devices, limits, money, bets, rounds and keys of the account in one timeline, newest first. */
export function ActivityScreen(): ReactElement {
	const { filter, change, skip, setSkip } = usePagedFilter<Filter>({ kind: '', range: ANY_TIME });
	const page = useQuery(activityQuery({ ...asked(filter), maxResultCount: String(PAGE), skipCount: String(skip) }));
	return (
		<RecordScreen
			title={words.title}
			beside={
				<ExportButton
					label={words.export}
					file={`${words.fileName}.csv`}
					make={async () => activityCsv(await allActivity(asked(filter)))}
					onFail={(failure) => showNotice(messageOf(failure), 'error')}
				/>
			}
			filters={<Filters filter={filter} onFilter={change} />}
			asked={page}
			empty={{ title: words.empty, hint: null }}
			page={{ size: PAGE, skip, onSkip: setSkip }}
			words={RECORD_WORDS}
		>
			{({ items }) => (
				<div className="flex flex-col gap-4">
					<p className="text-xs text-muted">{words.hint}</p>
					<Rows items={items} />
				</div>
			)}
		</RecordScreen>
	);
}
