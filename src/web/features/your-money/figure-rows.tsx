import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { toneOf } from '#ui/figures.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { StatementPage } from '#web/api/answers.ts';
import type { RequestOf } from '#web/api/units.ts';
import { formatDateTime, formatMoney, formatSigned } from '#web/format.ts';
import { statementQuery } from '#web/store/record-queries.ts';
import { ACCOUNT_TEXTS, RECORD_WORDS, SCREEN_TEXTS } from '#web/texts/more.ts';
import { rowReference } from '#web/texts/row-reference.ts';

const words = SCREEN_TEXTS.money;
const KINDS: Readonly<Record<string, string>> = ACCOUNT_TEXTS.statement.kinds;
const PAGE = 20;

export type FigureFilter = Omit<RequestOf<'getTransactionHistory'>, 'maxResultCount' | 'skipCount'>;

function Row({ row }: { row: StatementPage['items'][number] }): ReactElement {
	const { kind, game, amount, commission, at } = row;
	const reference = rowReference(row);
	const kindName = KINDS[kind] ?? kind;
	const beside = [
		// Casino is what the group says, and a round is named by its game.
		...(reference === '' || game !== null ? [] : [kindName]),
		...(commission === 0 ? [] : [words.commission(formatMoney(commission))]),
	];
	return (
		<li className="money-row">
			<span className="min-w-0 flex-1">
				<bdi>{reference || kindName}</bdi>
				<span className="block text-xs text-muted">
					<time dateTime={at}>{formatDateTime(at)}</time>
					{beside.map((word) => ` · ${word}`)}
				</span>
			</span>
			<span className="money-amount" data-tone={toneOf(amount)}>
				{formatSigned(amount)}
			</span>
		</li>
	);
}

/** The statement's rows of a figure; their amounts make it. */
export function FigureRows({ filter }: { filter: FigureFilter }): ReactElement {
	const [skip, setSkip] = useState(0);
	const asked = useQuery({
		...statementQuery({ ...filter, maxResultCount: String(PAGE), skipCount: String(skip) }),
		placeholderData: keepPreviousData,
	});
	return (
		<>
			<Loaded
				asked={asked}
				words={RECORD_WORDS}
				waiting={<Skeleton className="h-14 w-full" />}
				isEmpty={() => false}
				empty={null}
			>
				{({ items }) => (
					<ul>
						{items.map((row) => (
							<Row key={row.id} row={row} />
						))}
					</ul>
				)}
			</Loaded>
			<Pager skip={skip} size={PAGE} total={asked.data?.totalCount ?? 0} onSkip={setSkip} words={RECORD_WORDS} />
		</>
	);
}
