/** The tables that are played with cards: what lies where. Bets, prizes and results are the definitions' own. */
import type { ReactElement } from 'react';
import { rankOf } from '#games/cards.ts';
import { multipleText, NONE } from '#games/fraction.ts';
import type { Bet, RoundGame } from '#games/game.ts';
import { type AndarBaharOutcome, andarBahar } from '#games/tables/andar-bahar.ts';
import { type BaccaratOutcome, baccarat, totalOf } from '#games/tables/baccarat.ts';
import { type DragonTigerOutcome, dragonTiger } from '#games/tables/dragon-tiger.ts';
import { luckySeven } from '#games/tables/lucky-seven.ts';
import { type TeenPattiOutcome, teenPatti } from '#games/tables/teen-patti.ts';
import { handOf, scoreOf } from '#games/tables/teen-patti-hand.ts';
import { leadersOf, pointsOf, type ThirtyTwoCardsOutcome, thirtyTwoCards } from '#games/tables/thirty-two-cards.ts';
import { ChipSpot, type Chips, ChipTray, useChips } from '#web/features/casino/chips.tsx';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { Hand } from '#web/features/casino/playing-card.tsx';
import { useRevealed } from '#web/features/casino/reveal.ts';
import { useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import type { CasinoRound } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const { hands } = CASINO_TEXTS;

const words = CASINO_TEXTS.table;

interface CardTable {
	game: RoundGame;
	/** The bets that are shown large. */
	main: readonly string[];
	/** The table before the first round, and with an outcome. */
	draw: (outcome: unknown) => ReactElement;
	/** How long the cards take to lie on the table. */
	dealMs: number;
}

const teenPattiTable: CardTable = {
	game: teenPatti,
	main: ['a', 'tie', 'b'],
	dealMs: 700,
	draw: (drawn) => {
		const { a = [], b = [] } = (drawn ?? {}) as Partial<TeenPattiOutcome>;
		const lead = a.length > 0 ? scoreOf(a) - scoreOf(b) : 0;
		const note = (cards: typeof a) => (cards.length > 0 ? handOf(scoreOf(cards)) : '');
		return (
			<>
				<Hand label={hands.a} cards={a} note={note(a)} isWinner={lead > 0} empty={3} step={200} />
				<Hand label={hands.b} cards={b} note={note(b)} isWinner={lead < 0} empty={3} step={200} />
			</>
		);
	},
};

const andarBaharTable: CardTable = {
	game: andarBahar,
	main: ['andar', 'bahar'],
	dealMs: 900,
	draw: (drawn) => {
		const { joker, cards = [] } = (drawn ?? {}) as Partial<AndarBaharOutcome>;
		const andar = cards.filter((_, index) => index % 2 === 0);
		const bahar = cards.filter((_, index) => index % 2 === 1);
		const isAndar = cards.length % 2 === 1;
		return (
			<>
				<Hand label={hands.joker} cards={joker === undefined ? [] : [joker]} empty={1} />
				<Hand label={hands.andar} cards={andar} isWinner={cards.length > 0 && isAndar} empty={1} step={36} />
				<Hand label={hands.bahar} cards={bahar} isWinner={cards.length > 0 && !isAndar} empty={1} step={36} />
			</>
		);
	},
};

const dragonTigerTable: CardTable = {
	game: dragonTiger,
	main: ['dragon', 'tie', 'tiger'],
	dealMs: 400,
	draw: (drawn) => {
		const { dragon, tiger } = (drawn ?? {}) as Partial<DragonTigerOutcome>;
		const lead = dragon === undefined || tiger === undefined ? 0 : rankOf(dragon) - rankOf(tiger);
		return (
			<div className="hands-beside">
				<Hand label={hands.dragon} cards={dragon === undefined ? [] : [dragon]} isWinner={lead > 0} empty={1} />
				<Hand label={hands.tiger} cards={tiger === undefined ? [] : [tiger]} isWinner={lead < 0} empty={1} />
			</div>
		);
	},
};

const luckySevenTable: CardTable = {
	game: luckySeven,
	main: ['low', 'seven', 'high'],
	dealMs: 300,
	draw: (drawn) => <Hand label={hands.card} cards={typeof drawn === 'number' ? [drawn] : []} empty={1} />,
};

const THIRTY_TWO_NAMES = ['8', '9', '10', '11'];

const thirtyTwoCardsTable: CardTable = {
	game: thirtyTwoCards,
	main: ['player-8', 'player-9', 'player-10', 'player-11'],
	dealMs: 500,
	draw: (drawn) => {
		const dealt = (drawn ?? [[], [], [], []]) as ThirtyTwoCardsOutcome;
		const leader = drawn ? leadersOf(dealt)[0] : null;
		return (
			<div className="hands-beside">
				{dealt.map((cards, player) => (
					<Hand
						key={THIRTY_TWO_NAMES[player]}
						label={THIRTY_TWO_NAMES[player] ?? ''}
						cards={cards}
						note={cards.length > 0 ? `= ${pointsOf(player, cards)}` : ''}
						isWinner={leader === player}
						empty={1}
					/>
				))}
			</div>
		);
	},
};

const baccaratTable: CardTable = {
	game: baccarat,
	main: ['player', 'tie', 'banker'],
	dealMs: 700,
	draw: (drawn) => {
		const { player = [], banker = [] } = (drawn ?? {}) as Partial<BaccaratOutcome>;
		const lead = totalOf(player) - totalOf(banker);
		const note = (cards: typeof player) => (cards.length > 0 ? String(totalOf(cards)) : '');
		return (
			<>
				<Hand label={hands.player} cards={player} note={note(player)} isWinner={lead > 0} empty={2} step={200} />
				<Hand label={hands.banker} cards={banker} note={note(banker)} isWinner={lead < 0} empty={2} step={200} />
			</>
		);
	},
};

const paysText = ({ prizes }: Bet): string => {
	const [best = NONE] = prizes.map(({ pays }) => pays);
	return prizes.length > 2 ? CASINO_TEXTS.upTo(multipleText(best)) : multipleText(best);
};

function Spots({
	table,
	chips,
	round,
	disabled,
}: {
	table: CardTable;
	chips: Chips;
	round: CasinoRound | null;
	disabled: boolean;
}) {
	const spot = (bet: Bet) => {
		const isPaid = round?.bets.some(({ bet: code, stake, payout }) => code === bet.code && payout > stake);
		return (
			<ChipSpot
				key={bet.code}
				chips={chips}
				bet={bet.code}
				name={bet.name}
				note={paysText(bet)}
				disabled={disabled}
				result={isPaid ? 'won' : null}
			/>
		);
	};
	const { game, main } = table;
	const others = game.bets.filter(({ code }) => !main.includes(code));
	return (
		<>
			<div className="spots-main">{main.flatMap((code) => game.betOf(code) ?? []).map(spot)}</div>
			{others.length > 0 && (
				<details className="spots-more">
					<summary>{words.more}</summary>
					<div>{others.map(spot)}</div>
				</details>
			)}
		</>
	);
}

function CardTableGame({ table }: { table: CardTable }): ReactElement {
	const play = useRound(table.game.code);
	const chips = useChips();
	const { round } = play;
	const isDealt = useRevealed(round, table.dealMs);
	const isBusy = play.phase !== 'idle' || !isDealt;
	return (
		<GameFrame
			play={play}
			isRevealed={isDealt}
			action={chips.total > 0 ? CASINO_TEXTS.stake.bet(formatMoney(chips.total)) : words.deal}
			blocked={chips.total === 0 ? CASINO_TEXTS.chips.none : ''}
			onAction={() => {
				if (isBusy) return;
				play.play(chips.bets);
				chips.played();
			}}
			stage={
				<div className="card-table" key={round?.roundId ?? 'before'}>
					{table.draw(round?.outcome ?? null)}
				</div>
			}
			controls={
				<>
					<Spots table={table} chips={chips} round={isDealt ? round : null} disabled={isBusy} />
					<ChipTray chips={chips} disabled={isBusy} />
				</>
			}
		/>
	);
}

export const TeenPattiGame = (): ReactElement => <CardTableGame table={teenPattiTable} />;
export const AndarBaharGame = (): ReactElement => <CardTableGame table={andarBaharTable} />;
export const DragonTigerGame = (): ReactElement => <CardTableGame table={dragonTigerTable} />;
export const LuckySevenGame = (): ReactElement => <CardTableGame table={luckySevenTable} />;
export const ThirtyTwoCardsGame = (): ReactElement => <CardTableGame table={thirtyTwoCardsTable} />;
export const BaccaratGame = (): ReactElement => <CardTableGame table={baccaratTable} />;
