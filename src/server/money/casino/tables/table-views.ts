/** Tables on the wire: the fields common to all of them. A game adds its own in a `TableViews`. */
import type { ResultOf } from '#contract/call.ts';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Calls } from '#contract/registry.ts';
import { beaconTimeOf } from '#games/beacon/beacon-chain.ts';
import type { WorkflowData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { QueuedBet } from '#server/money/casino/tables/bet-queue.ts';
import type { PlacedBet } from '#server/money/casino/tables/placed-bet.ts';
import type { TableState } from '#server/money/casino/tables/shared-table.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import type { TableBet } from '#server/money/casino/tables/table-round.ts';
import { majorFromMinor } from '#values/money.ts';

/** The types of a game's views, as the contract has them. */
export interface TableWire {
	state: HubMessages['CrashState' | 'TableState'];
	/** All bets on the round in a pool. */
	list: HubMessages['CrashBets' | 'TableBets'];
	/** A bet as its player sees it. */
	bet: ResultOf<Calls['placeCrashBet' | 'placeTableBet']>['bet'];
	/** A round in the history. */
	mark: ResultOf<Calls['getCrash' | 'getTable']>['recent'][number];
}

type RecordView = ResultOf<Calls['getRound']>['round'];

/** A bet list without its rows. */
export type RoundTotals = Pick<TableWire['list'], 'round' | 'players' | 'stake' | 'payout'>;

/** A game's translation of the table's state. */
export interface TableViews<Terms extends WorkflowData, Wire extends TableWire> {
	/** The codes of its hub messages. */
	readonly codes: Readonly<Record<'state' | 'list' | 'bet', keyof HubMessages>>;
	/** @param shared the fields that follow from the state alone; the version rises with each change */
	state(state: TableState, shared: SharedStateView): Wire['state'];
	/** A bet in any state, WAITING included. */
	bet(bet: PlacedBet<Terms>): Wire['bet'];
	/** @param bets those of one pool that stand; changes that are not durable yet are not shown */
	list(totals: RoundTotals, bets: TableBet<Terms>[]): Omit<Wire['list'], 'version'>;
	mark(round: number, result: WorkflowValue): Wire['mark'];
	/**
	 * A bet in the list of its player's rounds. @param result of its round; undefined before there is one, and for a
	 * void round
	 */
	record(
		bet: PlacedBet<Terms>,
		result: WorkflowValue | undefined,
	): Pick<RecordView, 'bets' | 'result'> & { outcome: unknown };
}

type SharedStateView = ReturnType<typeof sharedStateView>;

/** @param version rises with each change of the table's state */
export function sharedStateView(state: TableState, version: number, clock: TableClock) {
	const { round, untilMs, commitment, beacon } = state;
	return {
		version,
		round: String(round),
		leftMs: untilMs === null ? null : Math.max(0, Math.ceil((untilMs - clock.now()) / clock.speed)),
		speed: clock.speed,
		serverTime: Date.now(),
		commitment,
		beacon: beacon && {
			name: beacon.chain.name,
			round: beacon.round,
			at: beaconTimeOf(beacon.chain, beacon.round),
		},
	};
}

type CountedBet = Pick<TableBet<WorkflowData>, 'player' | 'stake' | 'isDurable' | 'payout'>;

/** @param bets those of one pool that stand */
export function totalsView(round: number, bets: readonly CountedBet[]): RoundTotals {
	const sum = (of: (bet: CountedBet) => number) => majorFromMinor(bets.reduce((total, bet) => total + of(bet), 0));
	return {
		round: String(round),
		players: new Set(bets.map(({ player }) => player.walletId)).size,
		stake: sum(({ stake }) => stake),
		payout: sum(({ isDurable, payout }) => (isDurable ? payout : 0)),
	};
}

export function waitingView<Terms extends WorkflowData, Wire extends TableWire>(
	views: TableViews<Terms, Wire>,
	{ id, ticket }: Omit<QueuedBet<Terms>, 'leave'>,
): Wire['bet'] {
	const { slot, stake, terms } = ticket;
	const bet = views.bet({ id: 0, round: 0, slot, stake, terms, state: 'WAITING', payout: 0, outcome: null });
	return { ...bet, betId: id, round: '' };
}

/** @param own the game's own fields */
export function recordView(
	game: string,
	{ id, round, state, stake, payout }: PlacedBet<WorkflowData>,
	atMs: number,
	own: ReturnType<TableViews<WorkflowData, TableWire>['record']>,
): RecordView {
	return {
		roundId: String(id),
		game,
		state: state as RecordView['state'],
		at: isoTime(atMs),
		stake: majorFromMinor(stake),
		payout: majorFromMinor(payout),
		...own,
		actions: [],
		shown: null,
		next: [],
		pair: null,
		nonce: null,
		tableRound: String(round),
	};
}
