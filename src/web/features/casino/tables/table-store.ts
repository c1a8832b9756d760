/** The table on the screen as this page knows it: the snapshot, and what the hub said since. */
import { create } from 'zustand';
import { paiseOf, ZERO } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { followRounds, sharedAsk } from '#web/features/casino/follow-rounds.ts';
import { countVisit } from '#web/features/casino/use-round.ts';
import { hub } from '#web/live/hub.ts';
import type { HubData } from '#web/live/hub-connection.ts';
import { REFUSALS } from '#web/texts/more.ts';

type TableSnapshot = AnswerOf<'getTable'>;
type TableState = TableSnapshot['state'];
export type TableBet = TableSnapshot['mine'][number];

const HISTORY = 90;
/** Own bets of this visit that the list keeps. */
const MOST_MINE = 40;
/** A table that is looked at stays open; a snapshot also mends what a lost message left out. */
const REFRESH_MS = 30_000;

export interface TableView {
	game: string;
	/** Null until the first snapshot. */
	snapshot: TableSnapshot | null;
	/** When the phase ends, on `performance.now()`; null when that is not known. */
	untilMs: number | null;
	/** The player's bets, the newest first. */
	mine: readonly TableBet[];
	/** Why bets that waited were not placed. */
	refusal: string;
	/** Another try is under way. */
	isAway: boolean;
}

const EMPTY: TableView = { game: '', snapshot: null, untilMs: null, mine: [], refusal: '', isAway: false };

export const useTable = create<TableView>(() => EMPTY);

/** What the hub said while an answer was on its way; it may be newer than the answer. */
let heard: TableState | null = null;
const touched = new Set<string>();

const endOf = ({ leftMs }: TableState): number | null => (leftMs === null ? null : performance.now() + leftMs);

/** Bets as they stand now take the place of what was known of them. */
export function receiveBet(bet: TableBet): void {
	touched.add(bet.betId);
	useTable.setState(({ mine }) => {
		const before = mine.find(({ betId }) => betId === bet.betId);
		if (bet.state === 'SETTLED' && before?.state === 'OPEN') countVisit(bet);
		const rest = mine.filter(({ betId, state }) => {
			// Bets that waited have another id once they are placed.
			const isPlacedNow = state === 'WAITING' && bet.state === 'OPEN' && !before;
			return betId !== bet.betId && !isPlacedNow;
		});
		const isDead = bet.state === 'VOID' && (bet.round === '' || !bet.isInterrupted);
		return { mine: isDead ? rest : [bet, ...rest].slice(0, MOST_MINE) };
	});
}

export function removeBet(id: string): void {
	useTable.setState(({ mine }) => ({ mine: mine.filter(({ betId }) => betId !== id) }));
}

export const clearRefusal = (): void => useTable.setState({ refusal: '' });

function receiveState(state: HubData<'TableState'>): void {
	const { game, snapshot } = useTable.getState();
	if (state.game !== game) return;
	heard = state;
	if (!snapshot || state.version < snapshot.state.version) return void refresh();
	const { mark } = state;
	const isNew = mark !== null && snapshot.recent[0]?.round !== mark.round;
	const recent = isNew ? [mark, ...snapshot.recent].slice(0, HISTORY) : snapshot.recent;
	useTable.setState({ snapshot: { ...snapshot, state, recent }, untilMs: endOf(state) });
	// The result of a round that was missed stands in the history all the same.
	const last = Number(recent[0]?.round ?? state.round);
	if (state.phase === 'BETTING' && (last < Number(state.round) - 1 || snapshot.chain === null)) void refresh();
}

function receiveBets({ game, round, players, stake, payout, rows, spots }: HubData<'TableBets'>): void {
	useTable.setState(({ game: own, snapshot }) =>
		game === own && snapshot?.state.round === round
			? { snapshot: { ...snapshot, players, stake, payout, rows, spots } }
			: {},
	);
}

/** Asks for everything again: messages may have been missed. */
export const refresh = sharedAsk(ask);

async function ask(): Promise<void> {
	const { game } = useTable.getState();
	try {
		heard = null;
		touched.clear();
		const answer = await call('getTable', { game });
		if (useTable.getState().game !== game) return await ask();
		const later = heard as TableState | null;
		const state = later && later.version >= answer.state.version ? later : answer.state;
		const asked = [...answer.mine].reverse().filter(({ betId }) => !touched.has(betId));
		const kept = useTable.getState().mine.filter((bet) => asked.every(({ betId }) => betId !== bet.betId));
		const known = kept.filter((bet) => touched.has(bet.betId) || (bet.state !== 'WAITING' && bet.state !== 'OPEN'));
		const mine = [...asked, ...known].slice(0, MOST_MINE);
		useTable.setState({ snapshot: { ...answer, state }, mine, untilMs: endOf(state), isAway: false });
	} catch {
		useTable.setState({ isAway: true });
	}
}

/** While the table is on the screen. @returns what ends it */
export function followTable(game: string): () => void {
	useTable.setState({ ...EMPTY, game });
	const ends = [
		followRounds({
			channel: `table:${game}`,
			refresh,
			isAway: () => useTable.getState().isAway,
			onLogin: () => useTable.setState({ mine: [], refusal: '' }),
		}),
		hub.on('TableState', receiveState),
		hub.on('TableBets', receiveBets),
		hub.on('TableBet', ({ refusal, ...bet }) => {
			if (bet.game !== game) return;
			receiveBet(bet);
			if (refusal) useTable.setState({ refusal: REFUSALS?.[refusal.code] ?? refusal.message });
		}),
	];
	const stay = setInterval(() => void refresh(), REFRESH_MS);
	return () => {
		clearInterval(stay);
		for (const end of ends) end();
	};
}

/** The player's bets that are at stake in this round, or wait for the next one. */
export const liveBets = ({ mine, snapshot }: TableView): TableBet[] =>
	mine.filter(({ state, round }) => state === 'WAITING' || (state === 'OPEN' && round === snapshot?.state.round));

/** What the round on the table was staked and paid, as far as it is known; null without a bet on it. */
export function roundTotals({ mine, snapshot }: TableView): { stake: typeof ZERO; payout: typeof ZERO } | null {
	const own = mine.filter(({ round, state }) => round === snapshot?.state.round && state === 'SETTLED');
	if (own.length === 0) return null;
	const sum = (of: (bet: TableBet) => number) => paiseOf(own.reduce((total, bet) => total + of(bet), 0));
	return { stake: sum(({ stake }) => stake), payout: sum(({ payout }) => payout) };
}
