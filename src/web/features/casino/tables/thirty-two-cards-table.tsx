import type { ReactElement } from 'react';
import { leadersOf, pointsOf, type ThirtyTwoCardsOutcome } from '#games/tables/thirty-two-cards.ts';
import { SideHand } from '#web/features/casino/tables/duel.tsx';
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
				<SideHand
					key={NAMES[player]}
					side={`player-${NAMES[player]}`}
					label={NAMES[player] ?? ''}
					cards={cards}
					note={cards.length > 0 ? `= ${pointsOf(player, cards)}` : ''}
					empty={1}
					isWinner={leader === player}
					isLost={leader !== undefined && leader !== player}
				/>
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
