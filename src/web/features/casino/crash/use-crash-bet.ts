/** A slot's requests: each keeps its id until its outcome is known. */
import { useRef, useState } from 'react';
import type { Paise } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { type CrashBet, clearRefusal, receiveBet, refresh, removeBet } from '#web/features/casino/crash/crash-store.ts';
import { useSession } from '#web/store/session.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

/** How a cash-out was received: shown, so that a player can check it against the flight. */
export interface CashOutReceipt {
	betId: string;
	cents: number;
	receivedAt: string;
	durableMs: number;
	roundTripMs: number;
}

export interface CrashBetting {
	isPending: boolean;
	/** The request whose answer was lost: it can be asked again. */
	unknown: Act | null;
	refusal: string;
	receipt: CashOutReceipt | null;
	/** @returns whether the bet stands or waits */
	place: (stake: Paise, autoCents: number | null) => Promise<boolean>;
	cancel: (bet: CrashBet) => Promise<boolean>;
	cashOut: (bet: CrashBet) => Promise<boolean>;
	retry: () => void;
}

type Act = 'place' | 'cancel' | 'cashOut';
type Request = () => Promise<void>;

/** One request at a time; the one whose answer was lost can be asked again. */
function useRequests(slot: number) {
	const [isPending, setPending] = useState(false);
	const [unknown, setUnknown] = useState<Act | null>(null);
	const [refusal, setRefusal] = useState('');
	const asked = useRef<{ act: Act; request: Request } | null>(null);
	const isBusy = useRef(false);

	async function ask(act: Act, request: Request): Promise<boolean> {
		// A second press while the first is on its way does nothing.
		if (isBusy.current) return false;
		isBusy.current = true;
		asked.current = { act, request };
		setPending(true);
		setUnknown(null);
		setRefusal('');
		clearRefusal(slot);
		try {
			await request();
			return true;
		} catch (failure) {
			setUnknown(isOutcomeUnknown(failure) ? act : null);
			setRefusal(messageOf(failure));
			void refresh();
			return false;
		} finally {
			isBusy.current = false;
			setPending(false);
		}
	}

	const retry = (): void => {
		if (asked.current) void ask(asked.current.act, asked.current.request);
	};
	return { ask, retry, refusal, isPending, unknown };
}

export function useCrashBet(slot: 1 | 2): CrashBetting {
	const { ask, ...requests } = useRequests(slot);
	const [receipt, setReceipt] = useState<CashOutReceipt | null>(null);

	function place(stake: Paise, autoCents: number | null): Promise<boolean> {
		const request = { slot, stake, autoCents, clientRequestId: newRequestId() };
		setReceipt(null);
		return ask('place', async () => {
			const show = walletShower();
			const { bet, balance, exposure } = await call('placeCrashBet', request);
			receiveBet(bet);
			show(balance, exposure);
		});
	}

	const cancel = ({ betId }: CrashBet): Promise<boolean> =>
		ask('cancel', async () => {
			const show = walletShower();
			const { balance, exposure } = await call('cancelCrashBet', { betId });
			removeBet(betId);
			show(balance, exposure);
		});

	function cashOut({ betId }: CrashBet): Promise<boolean> {
		const request = { betId, clientRequestId: newRequestId() };
		return ask('cashOut', async () => {
			const show = walletShower();
			const askedAt = performance.now();
			const { bet, balance, exposure, receivedAt, durableMs } = await call('cashOutCrash', request);
			const roundTripMs = Math.round(performance.now() - askedAt);
			receiveBet(bet);
			setReceipt({ betId, cents: bet.cents ?? 0, receivedAt, durableMs, roundTripMs });
			show(balance, exposure);
		});
	}

	return { ...requests, receipt, place, cancel, cashOut };
}

/** Shows the money of an answer unless another player has logged in meanwhile. */
function walletShower(): (balance: Paise, exposure: Paise) => void {
	const askedAt = performance.now();
	const { loginCount } = useSession.getState();
	return (balance, exposure) => {
		if (useSession.getState().loginCount === loginCount) showAnsweredWallet(balance, exposure, askedAt);
	};
}
