import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground, Mover, playerName } from '#web/features/market/watch/ground.tsx';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Tennis = ScoreOf<'tennis'>;

const ORDER = ['0', '15', '30', '40', 'A'];

/** The side of the mark from which a player serves: the right one after an even number of points. */
function servesFromRight({ players, tieBreak }: Tennis): boolean {
	const points = players.map((player) => (tieBreak ? Number(player.points) : ORDER.indexOf(player.points)));
	return points.reduce((sum, count) => sum + Math.max(0, count), 0) % 2 === 0;
}

/** With a key each: a point is identified only by its place in the row. */
const lastPoints = ({ recentPoints }: Tennis) =>
	recentPoints.slice(-20).map((winner, at) => ({ key: `p${at}`, winner }));

/** Where a serve crosses into the box on the other side: by the tramline, at the body, or down the middle line. */
const AIMS = { WIDE: 22, BODY: 12, T: 3 } as const;

function Lines(): ReactElement {
	return (
		<g className="ground-lines">
			<rect x="110" y="24" width="380" height="140" />
			<path d="M110 44h380M110 144h380M205 44v100M395 44v100M205 94h190" />
			<path d="M300 14v160" className="ground-net" />
		</g>
	);
}

/** The court with the serving player, the games of each side, and the winners of the last points. */
export function TennisCourt({ score }: { score: Tennis }): ReactElement {
	const server = score.players.findIndex(({ serving }) => serving);
	const right = servesFromRight(score);
	const y = (server === 0) === right ? 120 : 68;
	// The box lies across: below the middle line when the serve comes from above it.
	const aim = AIMS[score.lastServe ?? 'BODY'] * 2;
	const target = y > 94 ? 94 - aim : 94 + aim;
	const ball = server >= 0 && (
		<Mover
			key={score.version}
			className="ground-ball"
			x={server === 0 ? 124 : 476}
			y={y}
			reach={5}
			way={{ x: server === 0 ? 262 : -262, y: target - y }}
		>
			<circle r="4" />
		</Mover>
	);
	return (
		<Ground sport="tennis" movers={ball}>
			<rect x="80" y="8" width="440" height="168" rx="6" className="ground-field" />
			<rect x="110" y="24" width="380" height="140" className="ground-band" />
			<Lines />
			{server >= 0 && (
				<circle cx={server === 0 ? 110 : 490} cy={y} r="8" className="ground-player" data-side={server} />
			)}
			{score.lastServe && (
				<text x="300" y="216" textAnchor="middle" className="ground-small">
					{words.serves[score.lastServe]}
				</text>
			)}
			{score.players.map(({ name, points, games }, at) => (
				<g key={name} transform={`translate(${at === 0 ? 205 : 395} 0)`} textAnchor="middle">
					<text y="88" className="ground-score">
						{points}
					</text>
					<text y="114" className="ground-name">
						{playerName(name, 16)}
					</text>
					<text y="136" className="ground-small">
						{games.join(' ')}
					</text>
				</g>
			))}
			{lastPoints(score).map(({ key, winner }, at) => (
				<circle
					key={key}
					cx={186 + at * 12}
					cy={winner === 0 ? 183 : 193}
					r="4"
					className="ground-player"
					data-side={winner}
				/>
			))}
		</Ground>
	);
}
