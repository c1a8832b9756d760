import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { GAMES } from '#games/all-games.ts';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { ExportButton } from '#ui/export-button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { PeriodFilter } from '#ui/period-filter.tsx';
import { usePagedFilter } from '#ui/record-screen.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { messageOf } from '#web/api/failure.ts';
import { ANY_TIME, boundsOf, type DateRange } from '#web/date-range.ts';
import { CasinoShell } from '#web/features/casino/casino-shell.tsx';
import { allRounds, roundsCsv } from '#web/features/casino/rounds-file.ts';
import { formatAmount, formatMoment } from '#web/format.ts';
import { brandZone } from '#web/store/brand-zone.ts';
import { type CasinoRecord, casinoGamesQuery, roundsQuery } from '#web/store/casino-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { CASINO_TEXTS, RECORD_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.rounds;
const PAGE = 25;

interface NamedGame {
	code: string;
	name: string;
}

/** A studio's round has no seeds of ours, and so no proof. */
const hasProof = ({ pair, tableRound }: CasinoRecord): boolean => pair !== null || tableRound !== undefined;

function Row({ round, games }: { round: CasinoRecord; games: readonly NamedGame[] }): ReactElement {
	return (
		<tr>
			<td>{formatMoment(round.at)}</td>
			<td data-label={words.columns.game}>
				<Link to="/casino/$game" params={{ game: round.game }}>
					{nameOf(games, round.game)}
				</Link>
			</td>
			<td data-label={words.columns.result}>{round.state === 'OPEN' ? words.open : round.result}</td>
			<td data-number data-label={words.columns.stake}>
				{formatAmount(round.stake)}
			</td>
			<td data-number data-label={words.columns.payout}>
				{formatAmount(round.payout)}
			</td>
			<td data-label={words.columns.verify}>
				{hasProof(round) && (
					<Link
						to="/fairness"
						search={
							round.tableRound === undefined
								? { round: round.roundId }
								: { table: round.game, number: round.tableRound }
						}
					>
						{words.verify}
					</Link>
				)}
			</td>
		</tr>
	);
}

interface Filter {
	/** Empty for all. */
	game: string;
	range: DateRange;
}

const requestOf = ({ game, range }: Filter) => ({ ...boundsOf(range, brandZone()), ...(game ? { game } : {}) });

const nameOf = (games: readonly NamedGame[], game: string): string =>
	games.find(({ code }) => code === game)?.name ?? game;

const fileOf = async (filter: Filter, games: readonly NamedGame[]): Promise<string> =>
	roundsCsv(await allRounds(requestOf(filter)), { ...words.columns, id: words.id }, (game) => nameOf(games, game));

/** The player's rounds, newest first, each with the way to its proof. */
export function RoundsScreen(): ReactElement {
	const { filter, change, skip, setSkip } = usePagedFilter<Filter>({ game: '', range: ANY_TIME });
	// The house's own games need no list.
	const games: readonly NamedGame[] = useQuery(casinoGamesQuery()).data ?? GAMES;
	const asked = useQuery(roundsQuery({ ...requestOf(filter), maxResultCount: String(PAGE), skipCount: String(skip) }));
	return (
		<CasinoShell>
			<div className="casino">
				<h1>{words.title}</h1>
				<div className="rounds-filters">
					<FilterSelect
						label={words.columns.game}
						value={filter.game}
						options={[
							{ value: '', text: CASINO_TEXTS.lobby.sections.all },
							...games.map(({ code, name }) => ({ value: code, text: name })),
						]}
						onChange={(game) => change({ game })}
					/>
					<PeriodFilter value={filter.range} words={TEXTS.filters} own="OWN" onChange={(range) => change({ range })} />
					<ExportButton
						label={words.export}
						file="casino-rounds.csv"
						make={() => fileOf(filter, games)}
						onFail={(failure) => showNotice(messageOf(failure), 'error')}
					/>
				</div>
				<Loaded
					asked={asked}
					words={TEXTS.app}
					waiting={<Skeleton className="casino-waiting" />}
					empty={<ScreenState icon="clock-rotate-left" title={words.none} />}
					isEmpty={({ items }) => items.length === 0}
				>
					{({ items, totalCount }) => (
						<>
							<div className="rounds-scroll">
								<table className="rows">
									<ColumnHeads columns={words.columns} numbers={['stake', 'payout']} />
									<tbody>
										{items.map((round) => (
											<Row key={round.roundId} round={round} games={games} />
										))}
									</tbody>
								</table>
							</div>
							<Pager skip={skip} size={PAGE} total={totalCount} onSkip={setSkip} words={RECORD_WORDS} />
						</>
					)}
				</Loaded>
			</div>
		</CasinoShell>
	);
}
