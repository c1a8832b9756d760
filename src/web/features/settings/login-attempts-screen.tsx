import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { RecordScreen, usePagedFilter } from '#ui/record-screen.tsx';
import type { LoginAttempts } from '#web/api/answers.ts';
import { formatMoment } from '#web/format.ts';
import { loginAttemptsQuery } from '#web/store/record-queries.ts';
import { ACCOUNT_TEXTS, RECORD_WORDS } from '#web/texts/more.ts';

const PAGE = 50;
const words = ACCOUNT_TEXTS.attempts;
type Result = LoginAttempts['items'][number]['result'];

function Rows({ items }: Pick<LoginAttempts, 'items'>): ReactElement {
	const { columns } = words;
	return (
		<table className="rows">
			<ColumnHeads columns={columns} />
			<tbody>
				{items.map(({ at, result, userIp }) => (
					<tr key={`${at}-${result}`} data-result={result}>
						<td data-label={columns.at}>{formatMoment(at)}</td>
						<td data-label={columns.result} className={result === 'FAILURE' ? 'text-loss' : ''}>
							{words.results[result]}
						</td>
						<td data-label={columns.userIp}>{userIp}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** /login-attempts: the time, the result and the address of each attempt to log in as the player. */
export function LoginAttemptsScreen(): ReactElement {
	const { filter, change, skip, setSkip } = usePagedFilter<{ result: Result | '' }>({ result: '' });
	const asked = useQuery(
		loginAttemptsQuery({
			MaxResultCount: String(PAGE),
			SkipCount: String(skip),
			...(filter.result ? { Result: filter.result } : {}),
		}),
	);
	const options = Object.entries(words.results).map(([value, text]) => ({ value: value as Result, text }));
	return (
		<RecordScreen
			title={words.title}
			filters={
				<FilterSelect<Result | ''>
					label={words.columns.result}
					value={filter.result}
					options={[{ value: '', text: words.all }, ...options]}
					onChange={(result) => change({ result })}
				/>
			}
			asked={asked}
			empty={{ title: words.empty, hint: null }}
			page={{ size: PAGE, skip, onSkip: setSkip }}
			words={RECORD_WORDS}
		>
			{({ items }) => <Rows items={items} />}
		</RecordScreen>
	);
}
