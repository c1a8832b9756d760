import { type ReactElement, useEffect, useRef } from 'react';
import { RANKS, SUITS } from '#games/cards.ts';
import { type AndarBaharOutcome, andarBahar } from '#games/tables/andar-bahar.ts';
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
const SUIT_CODES = ['spades', 'hearts', 'diamonds', 'clubs'];

/** The cards of a side; the newest stays in sight when the row is longer than the table. */
function Row({
	side,
	cards,
	isWinner,
	isLost,
}: {
	side: 'andar' | 'bahar';
	cards: AndarBaharOutcome['cards'];
	isWinner: boolean;
	isLost: boolean;
}) {
	const row = useRef<HTMLDivElement>(null);
	const count = cards.length;
	useEffect(() => {
		row.current?.scrollTo({ left: count > 1 ? row.current.scrollWidth : 0 });
	}, [count]);
	return (
		<div className="side-hand andar-row" data-side={side} data-lost={isLost || undefined} ref={row}>
			<Hand label={hands[side]} cards={cards} isWinner={isWinner} empty={1} step={0} />
		</div>
	);
}

function Scene({ shown, isDecided }: SceneProps): ReactElement {
	const { joker, cards = [] } = (shown ?? {}) as Partial<AndarBaharOutcome>;
	const andar = cards.filter((_, index) => index % 2 === 0);
	const bahar = cards.filter((_, index) => index % 2 === 1);
	const isAndar = cards.length % 2 === 1;
	return (
		<div className="andar-scene">
			<Hand label={hands.joker} cards={joker === undefined ? [] : [joker]} empty={1} step={0} />
			<div className="andar-rows">
				<Row side="andar" cards={andar} isWinner={isDecided && isAndar} isLost={isDecided && !isAndar} />
				<Row side="bahar" cards={bahar} isWinner={isDecided && !isAndar} isLost={isDecided && isAndar} />
			</div>
		</div>
	);
}

const COUNTS = andarBahar.bets.filter(({ code }) => code.startsWith('cards-'));

const Board = (board: BoardProps): ReactElement => (
	<Spots
		board={board}
		main={[
			['andar', 'andar'],
			['bahar', 'bahar'],
		]}
		groups={[
			{
				title: words.counts,
				bets: COUNTS.map(({ code }) => [code, { text: code.replace('cards-', '').replace('-', '–') }] as const),
			},
			{
				title: hands.joker,
				bets: [
					['joker-red', { text: words.kinds.red, tone: 'red' }],
					['joker-black', { text: words.kinds.black, tone: 'black' }],
					...SUIT_CODES.map((suit, index) => [`joker-${suit}`, { text: SUITS[index] as string }] as const),
				],
			},
			{
				title: words.jokerRank,
				bets: RANKS.map((rank) => [`joker-rank-${rank}`, { text: rank, isPlain: true }] as const),
			},
		]}
	/>
);

const LOOK: TableLook = {
	code: 'andar-bahar',
	hue: 280,
	Scene,
	Board,
	sides: [
		{ side: 'andar', name: hands.andar },
		{ side: 'bahar', name: hands.bahar },
	],
	hasRuns: true,
};

export const AndarBaharTable = (): ReactElement => <TableScreen look={LOOK} />;
