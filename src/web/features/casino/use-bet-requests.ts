/** Requests at a table: one at a time, each with its id until its outcome is known. */
import { useRef, useState } from 'react';
import type { Minor } from '#values/money.ts';
import { isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import { sameLogin } from '#web/store/same-login.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

type Request = () => Promise<void>;
type Act = 'place' | 'cancel' | 'cashOut';

/** The player's money after a request. */
interface Answer {
	balance: Minor;
	exposure: Minor;
}

/** Where the answers are shown. */
interface ShownBets<Bet> {
	receiveBet(bet: Bet): void;
	removeBet(betId: string): void;
	clearRefusal(place: number): void;
	refresh(): Promise<void>;
}

export interface BetRequests<Bet> {
	isPending: boolean;
	/** The request whose answer was lost: it can be repeated. */
	unknown: Act | null;
	refusal: string;
	/** It was for the amount. */
	isOfAmount: boolean;
	/**
	 * @param request the same for a repetition
	 * @returns whether it was carried out
	 */
	change: (act: Exclude<Act, 'cancel'>, request: () => Promise<Answer & { bet: Bet }>) => Promise<boolean>;
	/** Cancels bets, one request at a time. */
	cancel: (bets: readonly Bet[], request: (bet: Bet) => Promise<Answer>) => Promise<boolean>;
	retry: () => void;
}

/** @param place the player's place that the bets take */
export function useBetRequests<Bet extends { betId: string }>(shown: ShownBets<Bet>, place: number): BetRequests<Bet> {
	const [isPending, setPending] = useState(false);
	const [unknown, setUnknown] = useState<Act | null>(null);
	const [refusal, setRefusal] = useState('');
	const [isOfAmount, setOfAmount] = useState(false);
	const asked = useRef<{ act: Act; request: Request } | null>(null);
	const isBusy = useRef(false);

	async function ask(act: Act, request: Request): Promise<boolean> {
		// A second press during a request does nothing.
		if (isBusy.current) return false;
		isBusy.current = true;
		asked.current = { act, request };
		setPending(true);
		setUnknown(null);
		setRefusal('');
		setOfAmount(false);
		shown.clearRefusal(place);
		try {
			await request();
			return true;
		} catch (failure) {
			setUnknown(isOutcomeUnknown(failure) ? act : null);
			setRefusal(messageOf(failure));
			setOfAmount(refusedNumber(failure) === 'amount');
			void shown.refresh();
			return false;
		} finally {
			isBusy.current = false;
			setPending(false);
		}
	}

	return {
		isPending,
		unknown,
		refusal,
		isOfAmount,
		change: (act, request) =>
			ask(
				act,
				ofThisLogin(request, ({ bet, balance, exposure }, askedAt) => {
					shown.receiveBet(bet);
					showAnsweredWallet(balance, exposure, askedAt);
				}),
			),
		cancel: (bets, request) => {
			const cancels = bets.map((bet) =>
				ofThisLogin(
					() => request(bet),
					({ balance, exposure }, askedAt) => {
						shown.removeBet(bet.betId);
						showAnsweredWallet(balance, exposure, askedAt);
					},
				),
			);
			return ask('cancel', async () => {
				for (const cancel of cancels) await cancel();
			});
		},
		retry: () => {
			if (asked.current) void ask(asked.current.act, asked.current.request);
		},
	};
}

/**
 * A player's request, and the display of its answer. After another player has logged in, the answer is not shown, and a
 * repetition sends nothing: it would bet the other player's money.
 * @param show the time of the request is on `performance.now()`
 */
export function ofThisLogin<Of>(request: () => Promise<Of>, show: (answer: Of, askedAt: number) => void): Request {
	const isSameLogin = sameLogin();
	return async () => {
		if (!isSameLogin()) return;
		const askedAt = performance.now();
		const answer = await request();
		if (isSameLogin()) show(answer, askedAt);
	};
}
