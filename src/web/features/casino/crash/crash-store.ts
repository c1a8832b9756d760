/** Crash as this page knows it: the snapshot, and what the hub said since. */
import { create } from 'zustand';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { FlightClock } from '#web/features/casino/crash/flight-clock.ts';
import { followRounds, sharedAsk } from '#web/features/casino/follow-rounds.ts';
import { hub } from '#web/live/hub.ts';
import type { HubData } from '#web/live/hub-connection.ts';
import { CASINO_TEXTS, REFUSALS } from '#web/texts/more.ts';

type CrashSnapshot = AnswerOf<'getCrash'>;
export type CrashBet = CrashSnapshot['mine'][number];
type CrashState = CrashSnapshot['state'];

const STRIP = 50;
/** Own bets of this visit that the list keeps. */
const MOST_MINE = 40;

export interface CrashView {
	/** Null until the first snapshot. */
	snapshot: CrashSnapshot | null;
	/** When the phase ends, on `performance.now()`; null when that is not known. */
	untilMs: number | null;
	/** The player's bets, the newest first. */
	mine: readonly CrashBet[];
	/** Why a bet that waited was not placed, or is not known to have been, by slot. */
	refusals: Readonly<Record<number, string>>;
	/** Another try is under way, or the table is closed. */
	isAway: boolean;
}

const EMPTY: CrashView = { snapshot: null, untilMs: null, mine: [], refusals: {}, isAway: false };

export const useCrash = create<CrashView>(() => EMPTY);
export const flightClock = new FlightClock();

/** What the hub said while an answer was on its way; it may be newer than the answer. */
let heard: CrashState | null = null;
const touched = new Set<string>();

function follow({ phase, elapsedMs, speed }: CrashState, isNewRound: boolean): void {
	if (phase !== 'FLYING') return;
	if (isNewRound) flightClock.reset(speed);
	flightClock.heard(elapsedMs, performance.now());
}

const endOf = ({ leftMs }: CrashState): number | null => (leftMs === null ? null : performance.now() + leftMs);

/** A bet as it stands now takes the place of what was known of it. */
export function receiveBet(bet: CrashBet): void {
	touched.add(bet.betId);
	useCrash.setState(({ mine }) => {
		// A bet that waited has another id once it is placed.
		const rest = mine.filter(
			({ betId, slot, state }) => betId !== bet.betId && !(state === 'WAITING' && slot === bet.slot),
		);
		const isDead = bet.state === 'VOID' && bet.round === '';
		return { mine: isDead ? rest : [bet, ...rest].slice(0, MOST_MINE) };
	});
}

export function removeBet(betId: string): void {
	useCrash.setState(({ mine }) => ({ mine: mine.filter((bet) => bet.betId !== betId) }));
}

export const clearRefusal = (slot: number): void =>
	useCrash.setState(({ refusals }) => ({ refusals: { ...refusals, [slot]: '' } }));

function receiveState(state: HubData<'CrashState'>): void {
	heard = state;
	const { snapshot } = useCrash.getState();
	if (!snapshot || state.version < snapshot.state.version) return void refresh();
	const isNewFlight = snapshot.state.phase !== 'FLYING' || snapshot.state.round !== state.round;
	follow(state, isNewFlight);
	const isCrash = state.phase === 'CRASHED' && snapshot.recent[0]?.round !== state.round && state.crashCents !== null;
	const recent = isCrash
		? [{ round: state.round, cents: state.crashCents as number }, ...snapshot.recent].slice(0, STRIP)
		: snapshot.recent;
	useCrash.setState({ snapshot: { ...snapshot, state, recent }, untilMs: endOf(state) });
	// The crash of a round that was missed stands on the strip all the same, and so does the end of a bet on it.
	const hasMissed = Number(recent[0]?.round ?? state.round) < Number(state.round) - 1;
	if (state.phase === 'BETTING' && (hasMissed || openBefore(useCrash.getState(), state.round))) void refresh();
}

function receiveList({ round, players, stake, payout, rows }: HubData<'CrashBets'>): void {
	useCrash.setState(({ snapshot }) =>
		snapshot?.state.round === round ? { snapshot: { ...snapshot, players, stake, payout, rows } } : {},
	);
}

/** Asks for everything again: messages may have been missed. */
export const refresh = sharedAsk(ask);

async function ask(): Promise<void> {
	try {
		heard = null;
		touched.clear();
		const answer = await call('getCrash', {});
		const later = heard as CrashState | null;
		const state = later && later.version >= answer.state.version ? later : answer.state;
		const snapshot = { ...answer, state };
		follow(state, true);
		const isNew = (bet: CrashBet) => answer.mine.every(({ betId }) => betId !== bet.betId) && !touched.has(bet.betId);
		const gone = useCrash.getState().mine.filter(isNew);
		const ended = await endsOf(gone.filter((bet) => bet.state === 'OPEN'));
		const missed = gone.filter((bet) => bet.state === 'WAITING' && answer.mine.every(({ slot }) => slot !== bet.slot));
		useCrash.setState(({ mine: now, refusals }) => {
			const asked = [...answer.mine].reverse().filter(({ betId }) => !touched.has(betId));
			const kept = now
				.filter((bet) => asked.every(({ betId }) => betId !== bet.betId))
				.filter((bet) => touched.has(bet.betId) || bet.state !== 'WAITING')
				.map((bet) => (touched.has(bet.betId) ? bet : (ended.get(bet.betId) ?? bet)));
			const lost = Object.fromEntries(missed.map(({ slot }) => [slot, CASINO_TEXTS.crash.missed]));
			const mine = [...asked, ...kept].slice(0, MOST_MINE);
			return { snapshot, mine, refusals: { ...refusals, ...lost }, untilMs: endOf(state), isAway: false };
		});
	} catch {
		useCrash.setState({ isAway: true });
	}
}

/** What became of bets whose rounds ended while no message came. */
async function endsOf(bets: readonly CrashBet[]): Promise<Map<string, CrashBet>> {
	const ended = await Promise.all(
		bets.map(async (bet): Promise<CrashBet> => {
			const { round } = await call('getRound', { roundId: bet.betId });
			if (round.state === 'OPEN') return bet;
			const { cents } = round.outcome as { cents: number | null };
			const state = round.state === 'VOID' ? 'VOID' : round.payout > 0 ? 'WON' : 'LOST';
			return { ...bet, state, cents, payout: round.payout };
		}),
	);
	return new Map(ended.map((bet) => [bet.betId, bet]));
}

/** While the game is on the screen. @returns what ends it */
export function followCrash(): () => void {
	useCrash.setState(EMPTY);
	const ends = [
		followRounds({
			channel: 'table:crash',
			refresh,
			isAway: () => useCrash.getState().isAway,
			onLogin: () => useCrash.setState({ mine: [], refusals: {} }),
		}),
		hub.on('CrashState', receiveState),
		hub.on('CrashBets', receiveList),
		hub.on('CrashTick', ({ round, elapsedMs }) => {
			if (useCrash.getState().snapshot?.state.round === round) flightClock.heard(elapsedMs, performance.now());
		}),
		hub.on('CrashBet', ({ refusal, ...bet }) => {
			receiveBet(bet);
			if (refusal)
				useCrash.setState(({ refusals }) => ({
					refusals: { ...refusals, [bet.slot]: REFUSALS?.[refusal.code] ?? refusal.message },
				}));
		}),
	];
	return () => {
		for (const end of ends) end();
	};
}

/** Whether a bet on an earlier round is not known to have ended. */
const openBefore = ({ mine }: CrashView, round: string): boolean =>
	mine.some((bet) => bet.state === 'OPEN' && Number(bet.round) < Number(round));

/** Whether what became of the slot's last bet is known. */
export const isSettled = ({ mine }: CrashView, slot: number): boolean =>
	mine.every((bet) => bet.slot !== slot || bet.state !== 'OPEN');

/** The player's bet in a slot that is still at stake or waits; null when there is none. */
export function liveBet({ mine, snapshot }: CrashView, slot: number): CrashBet | null {
	const round = snapshot?.state.round;
	return (
		mine.find(
			(bet) => bet.slot === slot && (bet.state === 'WAITING' || (bet.state === 'OPEN' && bet.round === round)),
		) ?? null
	);
}
