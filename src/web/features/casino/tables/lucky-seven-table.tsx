import type { ReactElement } from 'react';
import { RANKS } from '#games/cards.ts';
import { luckySeven } from '#games/tables/lucky-seven.ts';
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

/** The ranks below, the seven, and the ranks above: where the card belongs lights up. */
function Scene({ shown, isDecided }: SceneProps): ReactElement {
	const card = typeof shown === 'number' ? shown : null;
	const side = card === null ? null : luckySeven.markOf(card).side;
	const range = (of: 'low' | 'seven' | 'high', text: string) => (
		<span className="seven-range" data-side={of} data-lit={(isDecided && side === of) || undefined}>
			{text}
		</span>
	);
	return (
		<div className="seven-scene">
			<Hand label={hands.card} cards={card === null ? [] : [card]} empty={1} step={0} isLarge />
			<div className="seven-ranges" aria-hidden="true">
				{range('low', 'A – 6')}
				{range('seven', '7')}
				{range('high', '8 – K')}
			</div>
		</div>
	);
}

const Board = (board: BoardProps): ReactElement => (
	<Spots
		board={board}
		main={[
			['low', 'low'],
			['seven', 'seven'],
			['high', 'high'],
		]}
		groups={[
			{
				title: words.colours,
				bets: [
					['odd', { text: words.kinds.odd }],
					['even', { text: words.kinds.even }],
					['red', { text: words.kinds.red, tone: 'red' }],
					['black', { text: words.kinds.black, tone: 'black' }],
				],
			},
			{ title: words.oneCard, bets: RANKS.map((rank) => [`rank-${rank}`, { text: rank, isPlain: true }] as const) },
		]}
	/>
);

const LOOK: TableLook = {
	code: 'lucky-7',
	hue: 350,
	Scene,
	Board,
	sides: [
		{ side: 'low', name: 'A – 6' },
		{ side: 'seven', name: '7' },
		{ side: 'high', name: '8 – K' },
	],
	hasRuns: false,
};

export const LuckySevenTable = (): ReactElement => <TableScreen look={LOOK} />;
