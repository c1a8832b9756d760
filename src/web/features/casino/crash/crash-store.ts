/** Crash as this page knows it. */
import { minorOf } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { FlightClock } from '#web/features/casino/crash/flight-clock.ts';
import { isWin, type RoundTotals } from '#web/features/casino/result-text.ts';
import { type RoundsView, SharedRounds } from '#web/features/casino/shared-rounds.ts';
import { hub } from '#web/live/hub.ts';

type CrashSnapshot = AnswerOf<'getCrash'>;
export type CrashBet = CrashSnapshot['mine'][number];
export type CrashMark = CrashSnapshot['recent'][number];
export type CrashView = RoundsView<CrashSnapshot>;

export const flightClock = new FlightClock();

export const crashRounds = new SharedRounds<CrashSnapshot>({
	history: 50,
	ask: () => call('getCrash', {}),
	markOf: ({ phase, round, crashCents }) =>
		phase === 'CRASHED' && crashCents !== null ? { round, cents: crashCents } : null,
	placeOf: ({ slot }) => slot,
	endedAs: (bet, { state, payout, outcome }) => {
		const { cents } = outcome as { cents: number | null };
		return { ...bet, state: state === 'VOID' ? 'VOID' : payout > 0 ? 'WON' : 'LOST', cents, payout };
	},
	onState: ({ phase, round, elapsedMs, speed }, before) => {
		if (phase !== 'FLYING') return;
		if (before?.phase !== 'FLYING' || before.round !== round) flightClock.reset(speed);
		flightClock.heard(elapsedMs, performance.now());
	},
	listen: (rounds) => [
		hub.on('CrashState', rounds.receiveState),
		hub.on('CrashBets', ({ round, players, stake, payout, rows }) =>
			rounds.receiveList(round, { players, stake, payout, rows }),
		),
		hub.on('CrashBet', ({ refusal, ...bet }) => rounds.receiveBet(bet, refusal)),
		hub.on('CrashTick', ({ round, elapsedMs }) => {
			if (useCrash.getState().snapshot?.state.round === round) flightClock.heard(elapsedMs, performance.now());
		}),
	],
});

export const useCrash = crashRounds.use;

/** Whether the outcome of the slot's last bet is known. */
export const isSettled = ({ mine }: CrashView, slot: number): boolean =>
	mine.every((bet) => bet.slot !== slot || bet.state !== 'OPEN');

/** The player's bet in a slot that is at stake or queued; null for none. */
export const liveBet = (view: CrashView, slot: number): CrashBet | null =>
	crashRounds.liveBets(view).find((bet) => bet.slot === slot) ?? null;

/** The stakes of the player's bets on the current round, and what they were paid so far; null without a bet on it. */
export function flightTotals({ mine, snapshot }: CrashView): RoundTotals | null {
	const own = mine.filter(({ round, state }) => round === snapshot?.state.round && state !== 'VOID');
	if (own.length === 0) return null;
	const sum = (of: (bet: CrashBet) => number) => minorOf(own.reduce((total, bet) => total + of(bet), 0));
	return { stake: sum(({ stake }) => stake), payout: sum(({ payout }) => payout) };
}

/**
 * What a change of Crash sounds like: the start of a flight with the player's bet, or a win. Two bets on one round are
 * one stake: what one of them wins is no win while the other costs more.
 */
export function crashSound(view: CrashView, before: CrashView): 'start' | 'win' | null {
	const [own, ownBefore] = [flightTotals(view), flightTotals(before)];
	if (!own || !before.snapshot) return null;
	if (view.snapshot?.state.phase === 'FLYING' && before.snapshot.state.phase !== 'FLYING') return 'start';
	return isWin(own) && !(ownBefore && isWin(ownBefore)) ? 'win' : null;
}
