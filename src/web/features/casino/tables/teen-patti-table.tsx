import type { ReactElement } from 'react';
import { type TeenPattiOutcome } from '#games/tables/teen-patti.ts';
import { handOf, scoreOf } from '#games/tables/teen-patti-hand.ts';
import { Hand } from '#web/features/casino/playing-card.tsx';
import { Spots } from '#web/features/casino/tables/spots.tsx';
import {
	type BoardProps,
	type SceneProps,
	type TableLook,
	TableScreen,
} from '#web/features/casino/tables/table-screen.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const { hands, tables: words } = CASINO_TEXTS;
const HAND = 3;

function Scene({ shown, isDecided }: SceneProps): ReactElement {
	const { a = [], b = [] } = (shown ?? {}) as Partial<TeenPattiOutcome>;
	const lead = isDecided ? scoreOf(a) - scoreOf(b) : null;
	const hand = (side: keyof TeenPattiOutcome, cards: TeenPattiOutcome['a'], isWinner: boolean) => (
		<div className="side-hand" data-side={side} data-lost={(lead !== null && lead !== 0 && !isWinner) || undefined}>
			<Hand
				label={hands[side]}
				cards={cards}
				note={cards.length === HAND ? words.teenPattiHands[handOf(scoreOf(cards))] : ''}
				isWinner={isWinner}
				empty={HAND}
				step={0}
			/>
		</div>
	);
	return (
		<div className="scene-beside">
			{hand('a', a, lead !== null && lead > 0)}
			<span className="scene-versus" aria-hidden="true">
				{lead === 0 ? '=' : words.versus}
			</span>
			{hand('b', b, lead !== null && lead < 0)}
		</div>
	);
}

const Board = (board: BoardProps): ReactElement => (
	<Spots
		board={board}
		main={[
			['a', 'a'],
			['tie', 'tie'],
			['b', 'b'],
		]}
		groups={[
			{
				title: words.rare,
				bets: [
					['a-pair-plus', {}],
					['six-card-bonus', {}],
					['b-pair-plus', {}],
				],
			},
		]}
	/>
);

const LOOK: TableLook = {
	code: 'teen-patti-20-20',
	hue: 152,
	Scene,
	Board,
	sides: [
		{ side: 'a', name: hands.a },
		{ side: 'tie', name: words.tie },
		{ side: 'b', name: hands.b },
	],
	hasRuns: true,
};

export const TeenPattiTable = (): ReactElement => <TableScreen look={LOOK} />;
