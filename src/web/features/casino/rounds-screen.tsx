import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { GAMES } from '#games/all-games.ts';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CasinoShell } from '#web/features/casino/casino-shell.tsx';
import { formatAmount, formatMoment } from '#web/format.ts';
import { type CasinoRecord, casinoGamesQuery, roundsQuery } from '#web/store/casino-queries.ts';
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
			<td>
				<Link to="/casino/$game" params={{ game: round.game }}>
					{games.find(({ code }) => code === round.game)?.name ?? round.game}
				</Link>
			</td>
			<td>{round.state === 'OPEN' ? words.open : round.result}</td>
			<td className="text-right">{formatAmount(round.stake)}</td>
			<td className="text-right">{formatAmount(round.payout)}</td>
			<td>
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

/** The player's rounds, newest first, each with the way to its proof. */
export function RoundsScreen(): ReactElement {
	const [game, setGame] = useState('');
	const [skip, setSkip] = useState(0);
	// The house's own games need no list.
	const games: readonly NamedGame[] = useQuery(casinoGamesQuery()).data ?? GAMES;
	const asked = useQuery(
		roundsQuery({ maxResultCount: String(PAGE), skipCount: String(skip), ...(game ? { game } : {}) }),
	);
	return (
		<CasinoShell>
			<div className="casino">
				<h1>{words.title}</h1>
				<FilterSelect
					label={words.columns.game}
					value={game}
					options={[
						{ value: '', text: CASINO_TEXTS.lobby.sections.all },
						...games.map(({ code, name }) => ({ value: code, text: name })),
					]}
					onChange={(next) => {
						setGame(next);
						setSkip(0);
					}}
				/>
				<Loaded
					asked={asked}
					words={TEXTS.app}
					waiting={<Skeleton className="casino-waiting" />}
					empty={<ScreenState title={words.none} />}
					isEmpty={({ items }) => items.length === 0}
				>
					{({ items, totalCount }) => (
						<>
							<div className="rounds-scroll">
								<table className="rows">
									<ColumnHeads columns={words.columns} />
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
