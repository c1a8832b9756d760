/** The history: the roads, and how often each side has won. */
import type { ReactElement } from 'react';
import { type TableMark, useTable } from '#web/features/casino/tables/table-store.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.tables;
const ROWS = 6;
const COLUMNS = 15;

/** Column by column, six high; the newest last. */
function beadColumns(marks: readonly TableMark[]): TableMark[][] {
	const columns: TableMark[][] = [];
	for (const [index, mark] of marks.entries()) {
		if (index % ROWS === 0) columns.push([]);
		columns.at(-1)?.push(mark);
	}
	return columns.slice(-COLUMNS);
}

/**
 * A column for each run of one side; a run that is longer than six goes on in the columns to the right. A tie stands in the
 * cell of the result before it.
 */
function bigRoad(marks: readonly TableMark[]): (TableMark & { ties: number; column: number; row: number })[] {
	const cells: (TableMark & { ties: number; column: number; row: number })[] = [];
	let start = -1;
	for (const mark of marks) {
		const last = cells.at(-1);
		if (mark.side === 'tie') {
			if (last) last.ties++;
		} else if (last?.side === mark.side) {
			const isDown =
				last.row + 1 < ROWS && !cells.some(({ column, row }) => column === last.column && row === last.row + 1);
			cells.push({
				...mark,
				ties: 0,
				column: isDown ? last.column : last.column + 1,
				row: isDown ? last.row + 1 : last.row,
			});
		} else {
			start++;
			// Long runs to the left may lie in the next columns.
			while (cells.some(({ column, row }) => column === start && row === 0)) start++;
			cells.push({ ...mark, ties: 0, column: start, row: 0 });
		}
	}
	return cells;
}

const RADIUS = 7;
const CELL = 18;

function BigRoad({ marks }: { marks: readonly TableMark[] }): ReactElement {
	const cells = bigRoad(marks);
	const first = Math.max(0, Math.max(0, ...cells.map(({ column }) => column)) - COLUMNS + 1);
	return (
		<svg viewBox={`0 0 ${COLUMNS * CELL} ${ROWS * CELL}`} className="road">
			{cells
				.filter(({ column }) => column >= first)
				.map(({ round, side, ties, column, row }) => (
					<g key={round} transform={`translate(${(column - first + 0.5) * CELL} ${(row + 0.5) * CELL})`}>
						<circle r={RADIUS} className="road-ring" data-side={side} />
						{ties > 0 && <path d="M-6 6L6 -6" className="road-tie" />}
					</g>
				))}
		</svg>
	);
}

function Beads({ marks }: { marks: readonly TableMark[] }): ReactElement {
	return (
		<svg viewBox={`0 0 ${COLUMNS * CELL} ${ROWS * CELL}`} className="road">
			{beadColumns(marks).map((column, across) =>
				column.map(({ round, side, text }, down) => (
					<g key={round} transform={`translate(${(across + 0.5) * CELL} ${(down + 0.5) * CELL})`}>
						<circle r={RADIUS + 1} className="road-bead" data-side={side} />
						<text y="3.500" textAnchor="middle" fontSize="9" className="road-text">
							{text}
						</text>
					</g>
				)),
			)}
		</svg>
	);
}

export interface Side {
	side: string;
	name: string;
}

/** @param hasRuns two sides that alternate: their runs are drawn, too */
export function Roads({ sides, hasRuns }: { sides: readonly Side[]; hasRuns: boolean }): ReactElement {
	const recent = useTable(({ snapshot }) => snapshot?.recent) ?? [];
	const marks = [...recent].reverse();
	const isEmpty = marks.length === 0;
	const shareOf = (of: string): number =>
		isEmpty ? 0 : Math.round((marks.filter(({ side }) => side === of).length * 100) / marks.length);
	return (
		<section className="roads" aria-label={words.roads}>
			<h2>{isEmpty ? words.none : words.last(marks.length)}</h2>
			<ul className="road-shares">
				{sides.map(({ side, name }) => (
					<li key={side} data-side={side} style={{ flexGrow: Math.max(8, shareOf(side)) }}>
						<span>{name}</span> {!isEmpty && <b>{shareOf(side)}%</b>}
					</li>
				))}
			</ul>
			<div className="road-boards" aria-hidden="true">
				<Beads marks={marks} />
				{hasRuns && <BigRoad marks={marks} />}
			</div>
		</section>
	);
}
