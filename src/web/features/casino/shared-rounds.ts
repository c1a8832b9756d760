/**
 * Shared rounds as this page knows them, for any game: the snapshot, and later messages of the hub. A snapshot is
 * requested whenever messages may have been missed: at first, after a reconnect, after a change of login, after a gap
 * in the rounds, and while the last try failed.
 */
import { create } from 'zustand';
import type { Minor } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { countVisit, type RefusedStake } from '#web/features/casino/use-round.ts';
import { useHub } from '#web/live/hub.ts';
import type { HubData } from '#web/live/hub-connection.ts';
import { numberOfCode } from '#web/orders/refused-number.ts';
import type { CasinoRecord } from '#web/store/casino-queries.ts';
import { channels } from '#web/store/channels.ts';
import { useSession } from '#web/store/session.ts';
import { CASINO_TEXTS, REFUSALS } from '#web/texts/more.ts';

/** Limit of own bets of this visit in the list. */
const MOST_MINE = 40;
/** The delay until a failed snapshot is requested again. */
const RETRY_MS = 2_000;

/** The common part of all games' snapshots. */
export interface Snapshot {
	state: {
		version: number;
		round: string;
		phase: string;
		leftMs: number | null;
		commitment: string;
		/** The announced value; null in a chain without a beacon. */
		beacon: { name: 'quicknet' | 'local'; round: number } | null;
	};
	/** Newest first. */
	recent: readonly { round: string }[];
	mine: readonly {
		betId: string;
		round: string;
		state: string;
		stake: Minor;
		payout: Minor;
		/** A restart ended it, or the beacon. */
		isInterrupted: boolean;
	}[];
	/** Null before the first round. */
	chain: { isDevelopment: boolean; beacon: object | null } | null;
}
type StateOf<Of extends Snapshot> = Of['state'];
type BetOf<Of extends Snapshot> = Of['mine'][number];
export type MarkOf<Of extends Snapshot> = Of['recent'][number];
type Refusal = HubData<'CrashBet'>['refusal'];

/** Why a queued bet was not placed, or that its outcome is unknown. */
interface QueuedRefusal {
	said: string;
	/** The stake for which it was, which is marked where the focus is: the player may be elsewhere. Null if it was for no stake. */
	stake: RefusedStake | null;
}

export interface RoundsView<Of extends Snapshot> {
	/** The code of the game on the screen. */
	game: string;
	/** Null until the first snapshot. */
	snapshot: Of | null;
	/** When the phase ends, on `performance.now()`; null if unknown. */
	untilMs: number | null;
	/** The player's bets, newest first. */
	mine: readonly BetOf<Of>[];
	/** By slot; of the last queued bet. */
	refusals: Readonly<Record<number, QueuedRefusal | null>>;
	/** Another try is in progress, or the table is closed. */
	isAway: boolean;
}

/** The differences between games. */
interface RoundsOptions<Of extends Snapshot> {
	/** The number of results in the history. */
	history: number;
	ask: (game: string) => Promise<Of>;
	/** The round's entry in the history; null while its result is unknown. */
	markOf: (state: StateOf<Of>) => MarkOf<Of> | null;
	/** The slot of a bet. A queued bet passes it on to the placed one. */
	placeOf: (bet: BetOf<Of>) => number;
	/** The end of a bet, by its record. */
	endedAs: (bet: BetOf<Of>, record: CasinoRecord) => BetOf<Of>;
	/** A new state is shown. @param before the previous one; null if messages may have been missed */
	onState?: (state: StateOf<Of>, before: StateOf<Of> | null) => void;
	/** Follows the game's own messages. @returns a function that ends that */
	listen: (rounds: SharedRounds<Of>) => (() => void)[];
}

const emptyView = <Of extends Snapshot>(game: string): RoundsView<Of> => ({
	game,
	snapshot: null,
	untilMs: null,
	mine: [],
	refusals: {},
	isAway: false,
});

export class SharedRounds<Of extends Snapshot> {
	/** The hook that reads the view. */
	readonly use = create<RoundsView<Of>>(() => emptyView(''));
	readonly #options: RoundsOptions<Of>;
	/** Messages of the hub during a request; they may be newer than the answer. */
	#heard: StateOf<Of> | null = null;
	readonly #touched = new Set<string>();
	#asking: Promise<void> | null = null;

	constructor(options: RoundsOptions<Of>) {
		this.#options = options;
	}

	/** While the game is on the screen. @returns a function that ends it */
	readonly follow = (game: string): (() => void) => {
		const { use, refresh } = this;
		use.setState(emptyView<Of>(game));
		void refresh();
		const retry = setInterval(() => {
			if (use.getState().isAway) void refresh();
		}, RETRY_MS);
		const ends = [
			() => clearInterval(retry),
			channels.subscribe(`table:${game}`),
			useHub.subscribe(({ state }, before) => {
				if (state === 'Connected' && before.state !== 'Connected') void refresh();
			}),
			useSession.subscribe(({ loginCount }, before) => {
				if (loginCount === before.loginCount) return;
				// The previous player's data is dropped.
				use.setState({ mine: [], refusals: {} } as Partial<RoundsView<Of>>);
				void refresh();
			}),
			...this.#options.listen(this),
		];
		return () => {
			for (const end of ends) end();
		};
	};

	readonly receiveState = (state: StateOf<Of>): void => {
		this.#heard = state;
		const { snapshot } = this.use.getState();
		if (!snapshot || state.version < snapshot.state.version) return void this.refresh();
		const { history, markOf, onState } = this.#options;
		onState?.(state, snapshot.state);
		const mark = markOf(state);
		const isNew = mark !== null && snapshot.recent[0]?.round !== mark.round;
		const recent = isNew ? [mark, ...snapshot.recent].slice(0, history) : snapshot.recent;
		this.#change({ snapshot: { ...snapshot, state, recent }, untilMs: endOf(state) });
		if (state.phase !== 'BETTING') return;
		// The result of a missed round is in the history, and so is the end of a bet on it.
		const round = Number(state.round);
		const hasMissed = Number(recent[0]?.round ?? round) < round - 1 || snapshot.chain === null;
		const { mine } = this.use.getState();
		const isOpenStill = mine.some((bet) => bet.state === 'OPEN' && Number(bet.round) < round);
		if (hasMissed || isOpenStill) void this.refresh();
	};

	/** @param list all bets on the round */
	receiveList(round: string, list: Partial<Of>): void {
		const { snapshot } = this.use.getState();
		if (snapshot?.state.round === round) this.#change({ snapshot: { ...snapshot, ...list } });
	}

	/** The current state of a bet replaces the known one. @param refusal why a queued bet was not placed */
	receiveBet(bet: BetOf<Of>, refusal: Refusal = null): void {
		this.#touched.add(bet.betId);
		const { mine, refusals } = this.use.getState();
		const place = this.#options.placeOf(bet);
		const before = mine.find(({ betId }) => betId === bet.betId);
		// The answer to a request may arrive after the hub's word of the bet's end.
		if (before && before.state !== 'OPEN' && bet.state === 'OPEN') return;
		if (before) countEnd(before, bet);
		// A queued bet gets another id once it is placed.
		const isNew = bet.state === 'OPEN' && !before;
		const rest = mine.filter(
			(other) =>
				other.betId !== bet.betId && !(isNew && other.state === 'WAITING' && this.#options.placeOf(other) === place),
		);
		const refused = refusal && {
			said: REFUSALS?.[refusal.code] ?? refusal.message,
			stake: numberOfCode(refusal.code) === 'amount' ? { stake: bet.stake } : null,
		};
		this.#change({
			mine: isGone(bet) ? rest : [bet, ...rest].slice(0, MOST_MINE),
			refusals: refused ? { ...refusals, [place]: refused } : refusals,
		});
	}

	removeBet(betId: string): void {
		this.#touched.add(betId);
		this.#change({ mine: this.use.getState().mine.filter((bet) => bet.betId !== betId) });
	}

	clearRefusal(place: number): void {
		this.#change({ refusals: { ...this.use.getState().refusals, [place]: null } });
	}

	/** The player's bets at stake in the displayed round, or queued for the next one. */
	liveBets({ mine, snapshot }: RoundsView<Of>): BetOf<Of>[] {
		return mine.filter(
			({ state, round }) => state === 'WAITING' || (state === 'OPEN' && round === snapshot?.state.round),
		);
	}

	/** Requests everything again: messages may have been missed. Concurrent requests are shared. */
	readonly refresh = (): Promise<void> => {
		this.#asking ??= this.#ask().finally(() => {
			this.#asking = null;
		});
		return this.#asking;
	};

	async #ask(): Promise<void> {
		const { game } = this.use.getState();
		const { loginCount } = useSession.getState();
		const isOutdated = () => this.use.getState().game !== game || useSession.getState().loginCount !== loginCount;
		try {
			this.#heard = null;
			this.#touched.clear();
			const answer = await this.#options.ask(game);
			if (isOutdated()) return await this.#ask();
			const ended = await this.#endsOf(answer);
			if (isOutdated()) return await this.#ask();
			const later = this.#heard as StateOf<Of> | null;
			const state = later && later.version >= answer.state.version ? later : answer.state;
			this.#options.onState?.(state, null);
			const bets = this.#betsAfter(answer.mine, ended);
			this.#change({ snapshot: { ...answer, state }, untilMs: endOf(state), isAway: false, ...bets });
		} catch {
			// An answer to the player before is dropped, and is no sign of the table.
			if (isOutdated()) return await this.#ask();
			this.#change({ isAway: true });
		}
	}

	/** The results of bets whose rounds ended without a message. */
	async #endsOf({ mine }: Of): Promise<Map<string, BetOf<Of>>> {
		const isAnswered = (bet: BetOf<Of>) => mine.some(({ betId }) => betId === bet.betId);
		const gone = this.use.getState().mine.filter((bet) => bet.state === 'OPEN' && !isAnswered(bet));
		const ended = await Promise.all(
			gone.map(async (bet) => {
				const { round } = await call('getRound', { roundId: bet.betId });
				return round.state === 'OPEN' ? bet : this.#options.endedAs(bet, round);
			}),
		);
		return new Map(ended.map((bet) => [bet.betId, bet]));
	}

	/** @param answered the player's bets of the round, oldest first @param ended those of earlier rounds */
	#betsAfter(answered: readonly BetOf<Of>[], ended: ReadonlyMap<string, BetOf<Of>>) {
		const { placeOf } = this.#options;
		const { mine, refusals } = this.use.getState();
		const isTouched = ({ betId }: BetOf<Of>) => this.#touched.has(betId);
		const others = mine.filter((bet) => isTouched(bet) || answered.every(({ betId }) => betId !== bet.betId));
		const kept = others
			.filter((bet) => isTouched(bet) || bet.state !== 'WAITING')
			.map((bet) => {
				const end = isTouched(bet) ? undefined : ended.get(bet.betId);
				if (end) countEnd(bet, end);
				return end ?? bet;
			})
			.filter((bet) => !isGone(bet));
		const asked = [...answered].reverse().filter((bet) => !isTouched(bet));
		for (const bet of asked) {
			const before = mine.find(({ betId }) => betId === bet.betId);
			if (before) countEnd(before, bet);
		}
		const missed = others.filter(
			(bet) => bet.state === 'WAITING' && !isTouched(bet) && answered.every((other) => placeOf(other) !== placeOf(bet)),
		);
		const lost = Object.fromEntries(
			missed.map((bet) => [placeOf(bet), { said: CASINO_TEXTS.crash.missed, stake: null }]),
		);
		return { mine: [...asked, ...kept].slice(0, MOST_MINE), refusals: { ...refusals, ...lost } };
	}

	#change(change: Partial<RoundsView<Of>>): void {
		this.use.setState(change);
	}
}

const endOf = ({ leftMs }: StateOf<Snapshot>): number | null => (leftMs === null ? null : performance.now() + leftMs);

/** Cancelled, or refused before it was placed. A bet that a restart voided stays on the list. */
const isGone = ({ state, isInterrupted }: BetOf<Snapshot>): boolean => state === 'VOID' && !isInterrupted;

/** Adds a bet that has just ended to the result of this visit. */
function countEnd(before: BetOf<Snapshot>, bet: BetOf<Snapshot>): void {
	if (before.state === 'OPEN' && bet.state !== 'VOID') countVisit(bet);
}
