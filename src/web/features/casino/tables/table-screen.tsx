/** The frame of every dealt table: the felt with its scene, the bets with all chips, the tray, the history. */
import { type ComponentType, type CSSProperties, type ReactElement, useEffect, useRef } from 'react';
import { gameOf } from '#games/all-games.ts';
import type { TableGame } from '#games/game.ts';
import { Button } from '#ui/button.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { minorOf } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { playDeal, playWin } from '#web/features/casino/casino-sound.ts';
import { type Chips, ChipTray, useChips } from '#web/features/casino/chips.tsx';
import { movesLess } from '#web/features/casino/moves-less.ts';
import { isWin, resultText } from '#web/features/casino/result-text.ts';
import { RoundsFrame, type Strip } from '#web/features/casino/rounds-frame.tsx';
import { SoundSwitch } from '#web/features/casino/sound-switch.tsx';
import { useSteadyPress } from '#web/features/casino/steady-press.ts';
import { Countdown } from '#web/features/casino/tables/countdown.tsx';
import { Roads, type Side } from '#web/features/casino/tables/road.tsx';
import { TableLists } from '#web/features/casino/tables/table-lists.tsx';
import {
	PLACE,
	roundTotals,
	type TableBet,
	type TableMark,
	type TableView,
	tableRounds,
	tableSound,
	useTable,
} from '#web/features/casino/tables/table-store.ts';
import { useBetRequests } from '#web/features/casino/use-bet-requests.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import './scenes.css';
import './table.css';

const words = CASINO_TEXTS.tables;

const Proof = lazyPart(async () => ({
	default: (await import('#web/features/casino/tables/table-proof.tsx')).TableProof,
}));

export interface SceneProps {
	/** The revealed part of the round, as the definition shapes it; null before the first card. */
	shown: unknown;
	/** The round's result is public. */
	isDecided: boolean;
	round: string;
}

export interface BoardProps {
	game: TableGame;
	chips: Chips;
	/** The outcome while it is shown; null otherwise. */
	outcome: unknown;
}

/** The differences between tables. */
export interface TableLook {
	code: string;
	/** The hue of the felt. */
	hue: number;
	Scene: ComponentType<SceneProps>;
	Board: ComponentType<BoardProps>;
	/** The counted results of the history. */
	sides: readonly Side[];
	/** Two sides that alternate. */
	hasRuns: boolean;
}

/** The texts that are read out: phases and results, never a ticking figure. */
function saidOf(view: TableView): string {
	const { phase, result } = view.snapshot?.state ?? { phase: 'CLOSED', result: '' };
	if (phase === 'DECIDED') {
		const totals = roundTotals(view);
		return totals ? `${result}. ${resultText(totals)}` : result;
	}
	if (phase === 'BETTING') return words.betting;
	return phase === 'LOCKED' ? words.locked : '';
}

function Felt({ look }: { look: TableLook }): ReactElement {
	const view = useTable();
	const { snapshot, untilMs, isAway } = view;
	const state = snapshot?.state;
	const phase = state?.phase ?? 'CLOSED';
	const isDecided = phase === 'DECIDED';
	const totals = isDecided ? roundTotals(view) : null;
	const note = isAway ? words.away : isDecided ? (state?.result ?? '') : words.phases[phase];
	return (
		<div className="felt" data-phase={phase.toLowerCase()}>
			<p className="felt-round">{state && state.round !== '0' ? words.round(state.round) : ''}</p>
			<SoundSwitch />
			<div className="felt-scene">
				<look.Scene shown={state?.shown ?? null} isDecided={isDecided} round={state?.round ?? ''} />
			</div>
			<div className="felt-foot">
				{phase === 'BETTING' && untilMs !== null && state && (
					<Countdown key={state.round} untilMs={untilMs} windowMs={state.windowMs} />
				)}
				<p className="felt-note">{note}</p>
				{totals && (
					<p className="felt-own" data-tone={isWin(totals) ? 'won' : 'plain'}>
						{resultText(totals)}
					</p>
				)}
			</div>
			<output className="unseen">{saidOf(view)}</output>
		</div>
	);
}

/** Sounds, if turned on: a card, and a win. A loss plays nothing. */
function useSounds(): void {
	useEffect(
		() =>
			useTable.subscribe((view, before) => {
				const sound = tableSound(view, before);
				if (sound === 'deal') playDeal();
				if (sound === 'win') playWin();
			}),
		[],
	);
}

/** The one primary action: placing bets, or cancelling them while that is possible. */
function Dock({ chips }: { chips: Chips }): ReactElement {
	const view = useTable();
	const betting = useBetRequests<TableBet>(tableRounds, PLACE);
	const { game } = view;
	const phase = view.snapshot?.state.phase ?? 'CLOSED';
	const live = tableRounds.liveBets(view);
	const movable = phase === 'BETTING' ? live : live.filter(({ state }) => state === 'WAITING');
	const staked = minorOf(movable.reduce((sum, { stake }) => sum + stake, 0));
	const amount = formatMoney(chips.total);
	const note =
		betting.unknown !== null ? CASINO_TEXTS.stake.unknown : betting.refusal || (view.refusals[PLACE]?.said ?? '');
	// A bet to cancel takes a part of the button's room.
	const meaning = betting.unknown !== null ? 'again' : staked > 0 ? 'place, or cancel beside it' : 'place';
	const isSteady = useSteadyPress(betting.isPending ? null : meaning);
	const place = () => {
		if (!isSteady()) return;
		const request = { game, bets: [...chips.bets], clientRequestId: newRequestId() };
		void betting.change('place', async () => {
			const answer = await call('placeTableBet', request);
			// Those of a lost answer leave the hand with the answer of the repetition.
			chips.played();
			return answer;
		});
	};
	const cancel = () => {
		if (isSteady()) void betting.cancel(movable, ({ betId }) => call('cancelTableBet', { game, betId }));
	};
	return (
		<div className="table-dock">
			<ChipTray chips={chips} disabled={betting.isPending} />
			<div className="game-actions">
				{betting.unknown !== null ? (
					<Button variant="primary" onClick={betting.retry}>
						{CASINO_TEXTS.stake.again}
					</Button>
				) : (
					<Button
						variant="primary"
						busy={betting.isPending}
						disabled={chips.total === 0 || phase === 'CLOSED'}
						onClick={place}
					>
						{chips.total === 0
							? CASINO_TEXTS.chips.none
							: phase === 'BETTING'
								? CASINO_TEXTS.stake.bet(amount)
								: CASINO_TEXTS.crash.betNext(amount)}
					</Button>
				)}
				{staked > 0 && (
					<Button variant="outline" disabled={betting.isPending} onClick={cancel}>
						{words.cancel(formatMoney(staked))}
					</Button>
				)}
			</div>
			<p className="game-note" role={note ? 'alert' : undefined}>
				{note || (live.some(({ state }) => state === 'WAITING') ? words.waits : '')}
			</p>
		</div>
	);
}

const STRIP: Strip<TableMark> = {
	className: 'result-strip',
	label: words.history,
	most: 24,
	buttonOf: ({ round, side, text }) => ({ text, said: words.proofOf(round, text), side }),
};

function Table({ look, game }: { look: TableLook; game: TableGame }): ReactElement {
	const chips = useChips();
	const felt = useRef<HTMLDivElement>(null);
	const { snapshot } = useTable();
	const phase = snapshot?.state.phase;
	useSounds();
	// The cards are visible while they are dealt, even if the bets are longer than a phone.
	useEffect(() => {
		if (phase === 'DEALING')
			felt.current?.scrollIntoView({ block: 'nearest', behavior: movesLess() ? 'auto' : 'smooth' });
	}, [phase]);
	return (
		<RoundsFrame
			game={game.code}
			rounds={tableRounds}
			strip={STRIP}
			interrupted={words.interrupted}
			lists={
				<div className="table-below">
					<Roads sides={look.sides} hasRuns={look.hasRuns} />
					<TableLists />
				</div>
			}
			Proof={Proof}
			how={words.proof.how}
		>
			<div className="game-table table-frame" style={{ '--hue': look.hue } as CSSProperties}>
				<div className="felt-box" ref={felt}>
					<Felt look={look} />
				</div>
				<div className="game-panel">
					{snapshot ? (
						<look.Board game={game} chips={chips} outcome={phase === 'DECIDED' ? snapshot.state.shown : null} />
					) : (
						<Skeleton className="table-waiting" />
					)}
					<Dock chips={chips} />
				</div>
			</div>
		</RoundsFrame>
	);
}

export function TableScreen({ look }: { look: TableLook }): ReactElement {
	const game = gameOf(look.code);
	if (game?.kind !== 'table') throw new Error(`no table ${look.code}`);
	return <Table look={look} game={game} />;
}
