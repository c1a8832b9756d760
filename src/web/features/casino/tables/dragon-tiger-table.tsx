import type { ReactElement } from 'react';
import { rankOf } from '#games/cards.ts';
import type { DragonTigerOutcome } from '#games/tables/dragon-tiger.ts';
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
type Side = keyof DragonTigerOutcome;

/** A flame for the dragon, claw marks for the tiger. */
const EMBLEMS: Readonly<Record<Side, string>> = {
	dragon: 'M24 44C10 44 8 30 16 22c1 5 4 6 5 6C18 16 26 12 27 3c8 6 6 13 9 17 1-2 2-4 1-7 8 9 7 31-13 31z',
	tiger: 'M8 6c6 8 9 20 8 34M20 4c6 9 9 23 8 38M32 5c6 9 9 21 8 35',
};

function Emblem({ side }: { side: Side }): ReactElement {
	return (
		<svg viewBox="0 0 48 48" className="emblem" data-side={side} aria-hidden="true">
			<path d={EMBLEMS[side]} />
		</svg>
	);
}

function Scene({ shown, isDecided }: SceneProps): ReactElement {
	const dealt = (shown ?? {}) as Partial<DragonTigerOutcome>;
	const lead =
		isDecided && dealt.dragon !== undefined && dealt.tiger !== undefined
			? rankOf(dealt.dragon) - rankOf(dealt.tiger)
			: null;
	const side = (key: Side): DuelSide => {
		const card = dealt[key];
		return {
			side: key,
			label: hands[key],
			cards: card === undefined ? [] : [card],
			empty: 1,
			above: <Emblem side={key} />,
		};
	};
	return <Duel sides={[side('dragon'), side('tiger')]} lead={lead} />;
}

const ofSide = (side: Side) => ({
	title: hands[side],
	bets: (['odd', 'even', 'red', 'black'] as const).map(
		(kind) =>
			[
				`${side}-${kind}`,
				{ text: words.kinds[kind], ...(kind === 'red' || kind === 'black' ? { tone: kind } : {}) },
			] as const,
	),
});

const Board = (board: BoardProps): ReactElement => (
	<Spots
		board={board}
		main={[
			['dragon', 'dragon'],
			['tie', 'tie'],
			['tiger', 'tiger'],
		]}
		groups={[ofSide('dragon'), ofSide('tiger'), { title: words.rare, bets: [['suited-tie', {}]] }]}
	/>
);

const LOOK: TableLook = {
	code: 'dragon-tiger',
	hue: 25,
	Scene,
	Board,
	sides: [
		{ side: 'dragon', name: hands.dragon },
		{ side: 'tie', name: words.tie },
		{ side: 'tiger', name: hands.tiger },
	],
	hasRuns: true,
};

export const DragonTigerTable = (): ReactElement => <TableScreen look={LOOK} />;
