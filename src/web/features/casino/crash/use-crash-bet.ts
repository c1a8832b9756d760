/** A slot's requests. */
import { useState } from 'react';
import type { Minor } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { type CrashBet, crashRounds } from '#web/features/casino/crash/crash-store.ts';
import { beginFirstSeeds } from '#web/features/casino/seed-notes.ts';
import { type BetRequests, useBetRequests } from '#web/features/casino/use-bet-requests.ts';

/** The receipt of a cash-out: shown, so that a player can check it against the flight. */
export interface CashOutReceipt {
	betId: string;
	cents: number;
	receivedAt: string;
	durableMs: number;
	roundTripMs: number;
}

interface CrashBetting extends Omit<BetRequests<CrashBet>, 'change' | 'cancel'> {
	receipt: CashOutReceipt | null;
	/** @returns whether the bet stands or is queued */
	place: (stake: Minor, autoCents: number | null) => Promise<boolean>;
	cancel: (bet: CrashBet) => Promise<boolean>;
	cashOut: (bet: CrashBet) => Promise<boolean>;
}

export function useCrashBet(slot: 1 | 2): CrashBetting {
	const { change, cancel, ...requests } = useBetRequests<CrashBet>(crashRounds, slot);
	const [receipt, setReceipt] = useState<CashOutReceipt | null>(null);

	function place(stake: Minor, autoCents: number | null): Promise<boolean> {
		const request = { slot, stake, autoCents, clientRequestId: newRequestId() };
		setReceipt(null);
		return change('place', () => {
			// The player's client seed takes part from the next round on.
			beginFirstSeeds().catch(() => undefined);
			return call('placeCrashBet', request);
		});
	}

	function cashOut({ betId }: CrashBet): Promise<boolean> {
		const request = { betId, clientRequestId: newRequestId() };
		return change('cashOut', async () => {
			const askedAt = performance.now();
			const answer = await call('cashOutCrash', request);
			const roundTripMs = Math.round(performance.now() - askedAt);
			const { bet, receivedAt, durableMs } = answer;
			setReceipt({ betId, cents: bet.cents ?? 0, receivedAt, durableMs, roundTripMs });
			return answer;
		});
	}

	return {
		...requests,
		receipt,
		place,
		cancel: (bet) => cancel([bet], ({ betId }) => call('cancelCrashBet', { betId })),
		cashOut,
	};
}
