/** Crash as this page knows it. */
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { FlightClock } from '#web/features/casino/crash/flight-clock.ts';
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
