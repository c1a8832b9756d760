import type { ReactElement } from 'react';
import { type BaccaratOutcome, totalOf } from '#games/tables/baccarat.ts';
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

function Scene({ shown, isDecided }: SceneProps): ReactElement {
	const { player = [], banker = [] } = (shown ?? {}) as Partial<BaccaratOutcome>;
	const lead = isDecided ? totalOf(player) - totalOf(banker) : null;
	const hand = (side: keyof BaccaratOutcome, cards: BaccaratOutcome['player'], isWinner: boolean) => (
		<div className="side-hand" data-side={side} data-lost={(lead !== null && lead !== 0 && !isWinner) || undefined}>
			<Hand label={hands[side]} cards={cards} isWinner={isWinner} empty={2} step={0} />
			<b className="hand-total">{cards.length > 0 ? totalOf(cards) : ''}</b>
		</div>
	);
	return (
		<div className="scene-beside">
			{hand('player', player, lead !== null && lead > 0)}
			<span className="scene-versus" aria-hidden="true">
				{lead === 0 ? '=' : words.versus}
			</span>
			{hand('banker', banker, lead !== null && lead < 0)}
		</div>
	);
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
