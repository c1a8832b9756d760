/** Crash: the table as it is, bets, cash-outs, and the proof of a round. */
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { gambler, stakeAdmission, walletAfter } from '#server/calls/casino.ts';
import { type Caller, type HandlersOf, type Parts, playerOf, poolOf } from '#server/calls/handler.ts';
import { requestKey } from '#server/calls/request-key.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { CrashResult } from '#server/money/casino/crash/crash-game.ts';
import { betView } from '#server/money/casino/crash/crash-views.ts';
import { checkStake } from '#server/money/casino/stake-limits.ts';
import { Refused } from '#values/error-catalogue.ts';
import { LARGEST_PAYOUT_PAISE, LARGEST_STAKE_PAISE, LEAST_STAKE_PAISE } from '#values/house-limits.ts';
import { majorFromPaise } from '#values/money.ts';

type Names = 'getCrash' | 'placeCrashBet' | 'cancelCrashBet' | 'cashOutCrash' | 'getCrashRound';

export const crashHandlers = (parts: Parts): HandlersOf<Names> => ({
	getCrash: (_, caller) => snapshotView(parts, caller),
	placeCrashBet: async (input, caller) => {
		checkStake(input.stake);
		const { slot, stake, autoCents } = input;
		const { playerId, loginId, userName } = playerOf(caller);
		parts.betAdmission.count(playerId, caller.visitor.brand.setting);
		const ticket = {
			player: gambler(caller),
			loginId,
			userName,
			slot,
			stake,
			terms: { autoCents },
			key: requestKey('CrashBet', playerId, { ...input }),
			accounts: () => parts.funds.protection.accounts(playerId),
			admission: (inRound: number) => stakeAdmission(parts, caller, { added: stake, inRound }, 'TABLE_BET'),
			admitWaiting: () => parts.funds.protection.admit(playerId, 'TABLE_BET'),
		};
		const { bet, receipt } = await parts.casino.crash.place(ticket, caller.untilMs);
		return { bet, ...walletAfter(parts, caller, receipt) };
	},
	cancelCrashBet: async ({ betId }, caller) => {
		const receipt = await parts.casino.crash.cancel(gambler(caller), betId, caller.untilMs);
		return walletAfter(parts, caller, receipt);
	},
	cashOutCrash: async ({ betId, clientRequestId }, caller) => {
		const { receivedMs, untilMs } = caller;
		// Decided before anything is awaited: what counts is the instant of the receipt.
		const cashing = parts.casino.crash.cashOut(gambler(caller), betId, { by: clientRequestId, receivedMs, untilMs });
		const receivedAtMs = Date.now() - (performance.now() - receivedMs);
		const bet = await cashing;
		return {
			bet: betView(bet),
			...walletAfter(parts, caller, null, parts.casino.crash.unpaidTo(gambler(caller))),
			receivedAt: isoTime(receivedAtMs),
			elapsedMs: Number(bet.outcome?.['elapsedMs'] ?? 0),
			durableMs: Math.round((performance.now() - receivedMs) * 10) / 10,
		};
	},
	getCrashRound: async ({ round }) => {
		const number = Number(round);
		if (!Number.isSafeInteger(number) || number <= 0) throw new Refused('UNKNOWN_ROUND');
		const { record, previousHash, chain } = await parts.casino.crash.proof(number);
		const { openedAtMs, position, hash, bettorSeeds, result, phase, isInterrupted } = record;
		return {
			round: String(number),
			at: isoTime(openedAtMs),
			position,
			previousHash,
			hash,
			bettorSeeds: [...bettorSeeds],
			crashCents: result === null ? null : (result as CrashResult).cents,
			isVoid: phase === 'VOID',
			isInterrupted,
			chain,
		};
	},
});

function snapshotView({ casino }: Parts, caller: Caller): ResultOf<Calls['getCrash']> {
	const { state, chain, ...lists } = casino.crash.snapshot(poolOf(caller), caller.login ? gambler(caller) : null);
	if (!state || !chain) throw new Refused('TABLE_CLOSED');
	return {
		state,
		chain,
		...lists,
		minStake: majorFromPaise(LEAST_STAKE_PAISE),
		maxStake: majorFromPaise(LARGEST_STAKE_PAISE),
		maxPayout: majorFromPaise(LARGEST_PAYOUT_PAISE),
	};
}
