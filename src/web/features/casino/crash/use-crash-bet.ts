/** A slot's requests: each keeps its id until its outcome is known. */
import { useState } from 'react';
import type { Paise } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { type CrashBet, clearRefusal, receiveBet, refresh, removeBet } from '#web/features/casino/crash/crash-store.ts';
import { beginFirstSeeds } from '#web/features/casino/seed-notes.ts';
import { useRequests, walletShower } from '#web/features/casino/use-requests.ts';

/** How a cash-out was received: shown, so that a player can check it against the flight. */
export interface CashOutReceipt {
	betId: string;
	cents: number;
	receivedAt: string;
	durableMs: number;
	roundTripMs: number;
}

interface CrashBetting {
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

export function useCrashBet(slot: 1 | 2): CrashBetting {
	const { ask, ...requests } = useRequests<Act>({ begin: () => clearRefusal(slot), fail: () => void refresh() });
	const [receipt, setReceipt] = useState<CashOutReceipt | null>(null);

	function place(stake: Paise, autoCents: number | null): Promise<boolean> {
		const request = { slot, stake, autoCents, clientRequestId: newRequestId() };
		setReceipt(null);
		return ask('place', async () => {
			const show = walletShower();
			// The player's client seed takes part from the next round on.
			beginFirstSeeds().catch(() => undefined);
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
