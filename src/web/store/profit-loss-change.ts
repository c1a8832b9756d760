/** When the player's profit and loss last changed: the marker of the product specification, section 4. */

import { create } from 'zustand';
import type { ProfitLoss } from '#web/api/answers.ts';

/** Milliseconds since the epoch; 0 before the first change. */
export const useProfitLossChange = create<{ changedAt: number }>(() => ({ changedAt: 0 }));

let last: string | null = null;

/** Compares an answer with the previous one; the first answer is no change. */
export function markProfitLoss(answer: ProfitLoss): void {
	const text = JSON.stringify(answer);
	if (last !== null && last !== text) useProfitLossChange.setState({ changedAt: Date.now() });
	last = text;
}

/** The answers of the next player start from scratch. */
export function forgetProfitLoss(): void {
	last = null;
	useProfitLossChange.setState({ changedAt: 0 });
}
