import type { ReactElement } from 'react';
import { type TeenPattiOutcome } from '#games/tables/teen-patti.ts';
import { handOf, scoreOf } from '#games/tables/teen-patti-hand.ts';
import { Duel, type DuelSide } from '#web/features/casino/tables/duel.tsx';
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
	const side = (key: keyof TeenPattiOutcome, cards: TeenPattiOutcome['a']): DuelSide => ({
		side: key,
		label: hands[key],
		cards,
		note: cards.length === HAND ? words.teenPattiHands[handOf(scoreOf(cards))] : '',
		empty: HAND,
	});
	return <Duel sides={[side('a', a), side('b', b)]} lead={lead} />;
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
