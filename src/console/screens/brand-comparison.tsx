/** A brand beside one of its earlier versions or another brand; a difference is taken over into the draft. */
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { labelOf, settingFieldAt, shownValue } from '#console/parts/setting-fields.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import type { Column } from '#ui/table-columns.ts';

type Difference = ResultOf<'brand-differences'>['differences'][number];

const shown = ({ field }: Difference, value: unknown): string =>
	shownValue(settingFieldAt(field) ?? { unit: '' }, value);

const COLUMNS: readonly Column<Difference>[] = [
	{ head: 'Setting', value: ({ field }) => labelOf(field), width: 1.5 },
	{ head: 'Here', value: (difference) => shown(difference, difference.here), width: 2 },
	{ head: 'There', value: (difference) => shown(difference, difference.there), width: 2 },
	{ head: 'Note', value: ({ problem, isAlone }) => problem ?? (isAlone ? '' : 'takes two members'), width: 2 },
];

interface ComparisonProps {
	host: string;
	/** The present one. */
	version: number;
	/** Puts a value into the draft; missing for members who may not change the brand. */
	onTake?: (field: string, value: string) => void;
}

export function BrandComparison({ host, version, onTake }: ComparisonProps): ReactElement {
	const versions = useCall('brand-versions', { host });
	const brands = useCall('brand-list', {});
	const [chosen, setChosen] = useState('');
	const former = versions.data?.former ?? [];
	const others = (brands.data ?? []).filter((brand) => brand.host !== host);
	const options = [
		{ value: '', text: 'nothing' },
		...former.map((each) => ({
			value: String(each.version),
			text: `version ${each.version}, until ${time(each.replacedAt)}`,
		})),
		...others.map((each) => ({ value: each.host, text: each.host })),
	];
	const there = /^\d+$/.test(chosen) ? { version: Number(chosen) } : { otherHost: chosen };
	return (
		<section aria-labelledby="brand-comparison">
			<h2 id="brand-comparison">Compare, roll back, copy</h2>
			<SelectField
				label="Compare with"
				value={chosen}
				options={options}
				onChange={({ target }) => setChosen(target.value)}
			/>
			{chosen !== '' && <Differences key={`${chosen} ${version}`} asked={{ host, ...there }} onTake={onTake} />}
		</section>
	);
}

interface DifferencesProps {
	asked: { host: string; version?: number; otherHost?: string };
	onTake: ComparisonProps['onTake'];
}

function Differences({ asked, onTake }: DifferencesProps): ReactElement {
	const query = useCall('brand-differences', asked);
	return (
		<Loaded query={query}>
			{({ differences }) => {
				const possible = differences.filter(({ problem }) => problem === null);
				const take = (taken: readonly Difference[]) => {
					for (const { field, text } of taken) onTake?.(field, text);
				};
				return (
					<>
						<RecordTable
							title="Differences"
							columns={COLUMNS}
							rows={differences}
							keyOf={({ field }) => field}
							isPlain
							{...(onTake ? { onOpen: (row: Difference) => take(row.problem === null ? [row] : []) } : {})}
							empty="There is no difference."
						/>
						{onTake && possible.length > 0 && (
							<p className="acts">
								<span className="text-muted">Open a row to take it over into the draft.</span>
								<Button onClick={() => take(possible)}>Take all over</Button>
							</p>
						)}
					</>
				);
			}}
		</Loaded>
	);
}
