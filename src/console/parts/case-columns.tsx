/** The columns of lists of cases. */
import type { ResultOf } from '#console/api/operate.ts';
import { dueIn, time, words } from '#console/parts/format.ts';
import type { Column } from '#ui/table-columns.ts';
import { CASE_RULES } from '#values/cases.ts';

type CaseView = ResultOf<'case-queue'>[number];

export const CASE_COLUMNS: readonly Column<CaseView>[] = [
	{
		head: 'Due',
		value: ({ dueAt }) => dueAt ?? '',
		show: ({ dueAt, isOverdue }) => (
			<span className={isOverdue ? 'text-loss' : ''}>{dueAt === null ? '' : dueIn(dueAt, Date.now())}</span>
		),
	},
	{ head: 'Rule', value: ({ rule }) => CASE_RULES[rule].title, width: 1.5 },
	{ head: 'Players', value: ({ players }) => players.map(({ userName }) => userName).join(', '), width: 3 },
	{ head: 'Brands', value: ({ players }) => [...new Set(players.map(({ brand }) => brand))].join(', '), width: 1.5 },
	{ head: 'Facts', value: ({ facts }) => facts, isFigure: true },
	{ head: 'State', value: ({ outcome }) => (outcome === null ? 'open' : words(outcome)) },
	{ head: 'Owner', value: ({ owner }) => owner ?? '' },
	{ head: 'Changed', value: ({ changedAt }) => changedAt, show: ({ changedAt }) => time(changedAt), width: 2 },
];
