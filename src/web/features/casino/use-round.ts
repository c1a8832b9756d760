/** Plays a game of the house: one round at a time, with a request id that is kept until the outcome is known. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { create } from 'zustand';
import { type Minor, minorOf, ZERO } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { CallFailure, isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import type { RequestOf } from '#web/api/units.ts';
import { movesLess } from '#web/features/casino/moves-less.ts';
import { beginFirstSeeds } from '#web/features/casino/seed-notes.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import { pause } from '#web/pause.ts';
import { rulesNow } from '#web/store/brand-rules.ts';
import { type CasinoRound, openRoundsQuery } from '#web/store/casino-queries.ts';
import { sameLogin } from '#web/store/same-login.ts';
import { useSession } from '#web/store/session.ts';
import { beginShow, showAnsweredWallet } from '#web/store/wallet.ts';

export interface StakedBet {
	bet: string;
	stake: Minor;
}

/**
 * loading: a round may be open · pending: sent and not answered · unknown: the answer was lost, and the same request
 * can be repeated.
 */
type RoundPhase = 'loading' | 'idle' | 'pending' | 'unknown';

/** Another one each time. */
export interface RefusedStake {
	stake: Minor;
}

export interface RoundPlay {
	/** Its code. */
	game: string;
	/** The last round of this visit, or the open one; null before the first. */
	round: CasinoRound | null;
	/** Whether the stage has shown the state of the round; results are announced after that. */
	isRevealed: boolean;
	/** The rounds of this visit that have ended and been shown, the newest first. */
	ended: readonly CasinoRound[];
	phase: RoundPhase;
	/** Why the last request was refused; empty otherwise. */
	refusal: string;
	/** The stake for which it was; null if it was for nothing of the kind. */
	refusedStake: RefusedStake | null;
	play: (bets: readonly StakedBet[]) => void;
	act: (action: string) => void;
	/** Repeats the unanswered request. */
	retry: () => void;
}

/** The result of the player's visit, over all games. */
export const useVisit = create<{ net: Minor; rounds: number }>(() => ({ net: minorOf(0), rounds: 0 }));

// The next player's begins at nothing.
useSession.subscribe(({ loginCount }, before) => {
	if (loginCount !== before.loginCount) useVisit.setState(useVisit.getInitialState());
});

export function countVisit({ state, stake, payout }: Pick<CasinoRound, 'stake' | 'payout'> & { state: string }): void {
	if (state !== 'OPEN')
		useVisit.setState(({ net, rounds }) => ({ net: minorOf(net + payout - stake), rounds: rounds + 1 }));
}

/** A round in the state after its last action. */
const keyOf = ({ roundId, actions }: CasinoRound): string => `${roundId} ${actions.length}`;

type Request = () => Promise<{ round: CasinoRound; balance: Minor; exposure: Minor }>;

/** The very first round starts the player's seeds, whose commitment the page shows. */
async function playWithSeeds(request: RequestOf<'playRound'>): ReturnType<Request> {
	const isSameLogin = sameLogin();
	try {
		return await call('playRound', request);
	} catch (failure) {
		if (!(failure instanceof CallFailure && failure.code === 'NO_CLIENT_SEED')) throw failure;
		await beginFirstSeeds();
		if (!isSameLogin()) throw failure;
		return await call('playRound', request);
	}
}

/**
 * How long a result is held back before the stage has it, and how long the stage then takes. With reduced motion nothing
 * moves; a profile that forbids shorter rounds makes the player wait as long.
 */
function timesOf(showMs: number): { heldMs: number; shownIn: number } {
	if (!movesLess()) return { heldMs: 0, shownIn: showMs };
	return { heldMs: rulesNow().shortestCycleMs === null ? 0 : showMs, shownIn: 0 };
}

type Refused = Pick<RoundPlay, 'refusal' | 'refusedStake'>;
const NOT_REFUSED: Refused = { refusal: '', refusedStake: null };

const refusedBy = (failure: unknown, stake: Minor): Refused => ({
	refusal: messageOf(failure),
	refusedStake: stake > 0 && refusedNumber(failure) === 'amount' ? { stake } : null,
});

/** @param revealMsOf how long the stage takes to show a round's change; nothing moves for players with reduced motion */
export function useRound(game: string, revealMsOf: (round: CasinoRound) => number = () => 0): RoundPlay {
	const [answered, setAnswered] = useState<CasinoRound | null>(null);
	const [revealed, setRevealed] = useState('');
	const [ended, setEnded] = useState<readonly CasinoRound[]>([]);
	const [asking, setPhase] = useState<RoundPhase>('idle');
	const [refused, setRefused] = useState<Refused>(NOT_REFUSED);
	const asked = useRef<Request | null>(null);
	const { data: open, isLoading } = useQuery(openRoundsQuery());
	const phase = isLoading && asking === 'idle' && !answered ? 'loading' : asking;
	const round = answered ?? open?.find((waiting) => waiting.game === game) ?? null;

	function reveal(shown: CasinoRound, endShow: (payout: Minor) => void): void {
		endShow(shown.payout);
		setRevealed(keyOf(shown));
		countVisit(shown);
		if (shown.state === 'SETTLED') setEnded((before) => [shown, ...before]);
	}

	/** @param stake of the request, if known beforehand */
	async function ask(request: Request, stake: Minor): Promise<void> {
		asked.current = request;
		setPhase('pending');
		setRefused(NOT_REFUSED);
		const isSameLogin = sameLogin();
		const askedAt = performance.now();
		const endShow = beginShow(stake);
		try {
			const answer = await request();
			const { heldMs, shownIn } = timesOf(revealMsOf(answer.round));
			if (heldMs > 0) await pause(heldMs);
			if (!isSameLogin()) return;
			setAnswered(answer.round);
			setTimeout(() => isSameLogin() && reveal(answer.round, endShow), shownIn);
			showAnsweredWallet(answer.balance, answer.exposure, askedAt);
			setPhase('idle');
		} catch (failure) {
			if (!isSameLogin()) return;
			endShow(stake);
			setPhase(isOutcomeUnknown(failure) ? 'unknown' : 'idle');
			setRefused(refusedBy(failure, stake));
		}
	}

	/** A press during a request does nothing. */
	const begin = (request: Request, stake: Minor) => {
		if (phase === 'idle') void ask(request, stake);
	};
	return {
		game,
		round,
		// A round that was open before the page loaded has nothing to reveal.
		isRevealed: answered === null || keyOf(answered) === revealed,
		ended,
		phase,
		...refused,
		play: (bets) => {
			const request = { game, bets: [...bets], clientRequestId: newRequestId() };
			const stake = minorOf(bets.reduce((sum, bet) => sum + bet.stake, 0));
			begin(() => playWithSeeds(request), stake);
		},
		act: (action) => {
			if (!round) return;
			const request = { roundId: round.roundId, action, clientRequestId: newRequestId() };
			begin(() => call('actInRound', request), ZERO);
		},
		retry: () => {
			if (phase === 'unknown' && asked.current) void ask(asked.current, ZERO);
		},
	};
}
