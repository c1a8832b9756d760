/** Tennis by hand, point by point. */
import { beforePlay, type ScoredByHand } from '#sports/by-hand/scored-by-hand.ts';
import type { TennisCard } from '#sports/score-card.ts';
import { other, type Player, TennisTally } from '#sports/tennis/tennis-tally.ts';

/** Points by their names; a player who has the advantage has one more than the other. */
const COUNTS: Readonly<Record<string, number>> = { '0': 0, '15': 1, '30': 2, '40': 3, A: 4 };

const setsToWin = ({ bestOf }: Pick<TennisCard, 'bestOf'>): number => Math.ceil(bestOf / 2);

/** The count that a card shows. */
function tallyOf(card: TennisCard): TennisTally {
	const tally = new TennisTally(setsToWin(card));
	const [one, two] = card.players;
	tally.games.splice(0, tally.games.length);
	for (const [at, games] of (one?.games ?? []).entries()) tally.games.push([games, two?.games[at] ?? 0]);
	card.players.forEach(({ sets, points }, player) => {
		tally.sets[player as Player] = sets;
		tally.points[player as Player] = card.tieBreak ? Number(points) : (COUNTS[points] ?? 0);
	});
	tally.recentPoints.push(...card.recentPoints);
	const serving: Player = two?.serving ? 1 : 0;
	tally.gameServer = serving;
	// In a tie-break the card names the server of the next point; the server of the first follows from the points.
	if (card.tieBreak && tally.server !== serving) tally.gameServer = other(serving);
	return tally;
}

const cardOf = (card: TennisCard, tally: TennisTally): TennisCard => ({
	...card,
	tieBreak: tally.isTieBreak,
	players: card.players.map((player, at) => ({
		...player,
		sets: tally.sets[at as Player],
		games: tally.games.map((games) => games[at as Player]),
		points: tally.pointsOf(at as Player),
		serving: tally.winner === null && tally.server === at,
	})),
	recentPoints: [...tally.recentPoints],
});

/** The winner of each set that has ended. */
function setWinnersOf({ players: [one, two], state }: TennisCard): Player[] {
	const sets = (one?.games ?? []).map((games, at): readonly [number, number] => [games, two?.games[at] ?? 0]);
	const ended = (one?.sets ?? 0) + (two?.sets ?? 0);
	return sets.slice(0, state === 'PRE_MATCH' ? 0 : ended).map(([mine, theirs]) => (mine > theirs ? 0 : 1));
}

export const tennisByHand: ScoredByHand<TennisCard> = {
	begin: (sides, { bestOf }) => ({
		sport: 'tennis',
		...beforePlay(),
		bestOf,
		tieBreak: false,
		players: sides.map((name, at) => ({ name, sets: 0, games: [0], points: '0', serving: at === 0 })),
		recentPoints: [],
	}),
	after: (card, { act, side }) => {
		if (side === null || card.state !== 'IN_PLAY') return null;
		const tally = tallyOf(card);
		if (tally.winner !== null) return null;
		if (act === 'SERVE')
			return tally.isTieBreak
				? null
				: {
						...card,
						players: card.players.map((player, at) => ({ ...player, serving: at === side })),
						note: `${card.players[side]?.name} serves`,
					};
		if (act !== 'POINT') return null;
		const { setOver } = tally.winPoint(side);
		const { winner } = tally;
		const name = card.players[winner ?? tally.server]?.name;
		const note = winner !== null ? `${name} won` : setOver ? 'Set over' : `${name} serves`;
		return { ...cardOf(card, tally), note };
	},
	line: ({ players: [one, two] }) => (one?.games ?? []).map((games, at) => `${games}–${two?.games[at]}`).join(' '),
	outcome: (card) => {
		const [one = 0, two = 0] = card.players.map(({ sets }) => sets);
		const most = setsToWin(card);
		const winner = one === most ? 0 : two === most ? 1 : null;
		return { winner, totals: [one, two], parts: setWinnersOf(card) };
	},
};
