import type { ReactElement } from 'react';
import { type BaccaratOutcome, totalOf } from '#games/tables/baccarat.ts';
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

function Scene({ shown, isDecided }: SceneProps): ReactElement {
	const { player = [], banker = [] } = (shown ?? {}) as Partial<BaccaratOutcome>;
	const lead = isDecided ? totalOf(player) - totalOf(banker) : null;
	const side = (key: keyof BaccaratOutcome, cards: BaccaratOutcome['player']): DuelSide => ({
		side: key,
		label: hands[key],
		cards,
		empty: 2,
		below: <b className="hand-total">{cards.length > 0 ? totalOf(cards) : ''}</b>,
	});
	return <Duel sides={[side('player', player), side('banker', banker)]} lead={lead} />;
}

const Board = (board: BoardProps): ReactElement => (
	<Spots
		board={board}
		main={[
			['player', 'player'],
			['tie', 'tie'],
			['banker', 'banker'],
		]}
		groups={[
			{
				title: words.pairs,
				bets: [
					['player-pair', {}],
					['banker-pair', {}],
				],
			},
		]}
	/>
);

const LOOK: TableLook = {
	code: 'baccarat',
	hue: 230,
	Scene,
	Board,
	sides: [
		{ side: 'player', name: hands.player },
		{ side: 'tie', name: words.tie },
		{ side: 'banker', name: hands.banker },
	],
	hasRuns: true,
};

export const BaccaratTable = (): ReactElement => <TableScreen look={LOOK} />;
