import type { ReactElement } from 'react';
import { leadersOf, pointsOf, type ThirtyTwoCardsOutcome } from '#games/tables/thirty-two-cards.ts';
import { Hand } from '#web/features/casino/playing-card.tsx';
import { Spots } from '#web/features/casino/tables/spots.tsx';
import {
	type BoardProps,
	type SceneProps,
	type TableLook,
	TableScreen,
} from '#web/features/casino/tables/table-screen.tsx';

const NAMES = ['8', '9', '10', '11'];

function Scene({ shown, isDecided }: SceneProps): ReactElement {
	const dealt = (shown ?? NAMES.map(() => [])) as ThirtyTwoCardsOutcome;
	const [leader] = isDecided ? leadersOf(dealt) : [];
	return (
		<div className="scene-four">
			{dealt.map((cards, player) => (
				<div
					key={NAMES[player]}
					className="side-hand"
					data-side={`player-${NAMES[player]}`}
					data-lost={(leader !== undefined && leader !== player) || undefined}
				>
					<Hand
						label={NAMES[player] ?? ''}
						cards={cards}
						note={cards.length > 0 ? `= ${pointsOf(player, cards)}` : ''}
						isWinner={leader === player}
						empty={1}
						step={0}
					/>
				</div>
			))}
		</div>
	);
}

const Board = (board: BoardProps): ReactElement => (
	<Spots board={board} main={NAMES.map((name) => [`player-${name}`, `player-${name}`] as const)} groups={[]} />
);

const LOOK: TableLook = {
	code: '32-cards',
	hue: 205,
	Scene,
	Board,
	sides: NAMES.map((name) => ({ side: `player-${name}`, name })),
	hasRuns: false,
};

export const ThirtyTwoCardsTable = (): ReactElement => <TableScreen look={LOOK} />;
