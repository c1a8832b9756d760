/** What the caller of a command is answered. */
import type { Command } from '#engine/command.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { Receipt } from '#server/exchange/exchange.ts';

export const nothingDone = (atMs: number): Receipt => ({
	atMs,
	balance: 0,
	batchAtMs: 0,
	batchSeq: 0,
	betId: null,
	cancelled: 0,
	dueAtMs: null,
	exposure: 0,
	matched: 0,
	matchedValue: 0,
	remaining: 0,
	stake: 0,
});

/** The receipt of a command that was just applied, with the balances of its wallet. */
export function receiptOf(command: Command, outcome: Outcome & { ok: true }, engine: Engine): Receipt {
	const walletId = 'walletId' in command ? command.walletId : undefined;
	const wallet = walletId === undefined ? null : engine.wallet(walletId);
	// Sorted keys make the receipt cheap to serialise (`values/canonical-json`); few have what follows them.
	const receipt: Receipt = {
		atMs: command.atMs,
		balance: wallet?.cash ?? 0,
		batchAtMs: 0,
		batchSeq: 0,
		betId: outcome.betId ?? null,
		cancelled: outcome.cancelled ?? 0,
		dueAtMs: outcome.dueAtMs ?? null,
		exposure: wallet?.exposure ?? 0,
		matched: outcome.matched ?? 0,
		matchedValue: outcome.matchedValue ?? 0,
		remaining: outcome.remaining ?? 0,
		stake: outcome.stake ?? 0,
	};
	if (outcome.price !== undefined) receipt.price = outcome.price;
	if (outcome.hedges) receipt.hedges = outcome.hedges;
	return receipt;
}
