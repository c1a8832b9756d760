/** Crash: the state of the table, bets, cash-outs, and the proof of a round. */
import { gambler, walletAfter } from '#server/calls/casino.ts';
import { type HandlersOf, type Parts, playerOf, poolOf } from '#server/calls/handler.ts';
import { requestKey } from '#server/calls/request-key.ts';
import { cancelBet, placeBet, provenRound, tableLimits } from '#server/calls/table-bets.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { CrashResult } from '#server/money/casino/crash/crash-game.ts';
import { betView } from '#server/money/casino/crash/crash-views.ts';
import { checkStake } from '#server/money/casino/stake-limits.ts';
import { Refused } from '#values/error-catalogue.ts';
import { currencyOf } from '#values/pools.ts';

type Names = 'getCrash' | 'placeCrashBet' | 'cancelCrashBet' | 'cashOutCrash' | 'getCrashRound';

export const crashHandlers = (parts: Parts): HandlersOf<Names> => {
	const { crash } = parts.casino;
	return {
		getCrash: (_, caller) => {
			const pool = poolOf(caller);
			const { list, chain, ...view } = crash.table.snapshot(pool, caller.login ? gambler(caller) : null);
			if (!chain) throw new Refused('TABLE_CLOSED');
			const { players, stake, payout, rows } = list;
			return { ...view, chain, players, stake, payout, rows, top: crash.largestWins(pool), ...tableLimits(pool) };
		},
		placeCrashBet: async (input, caller) => {
			const { slot, stake, autoCents } = input;
			checkStake(stake, currencyOf(poolOf(caller)));
			const { playerId } = playerOf(caller);
			const { largestCrash } = caller.visitor.brand.setting;
			parts.betAdmission.count(playerId, caller.visitor.brand.setting);
			const key = requestKey('CrashBet', playerId, { ...input });
			return await placeBet(parts, caller, crash.table, {
				key,
				stake,
				terms: { autoCents: atMost(autoCents, largestCrash) },
				places: [slot],
			});
		},
		cancelCrashBet: ({ betId }, caller) => cancelBet(parts, caller, crash.table, betId),
		cashOutCrash: async ({ betId, clientRequestId }, caller) => {
			const { receivedMs, untilMs } = caller;
			// Decided before anything is awaited, because the instant of the receipt counts.
			const cashing = crash.cashOut(gambler(caller), betId, { by: clientRequestId, receivedMs, untilMs });
			const receivedAtMs = Date.now() - (performance.now() - receivedMs);
			const bet = await cashing;
			return {
				bet: betView(bet),
				...walletAfter(parts, caller, null, crash.unpaidTo(gambler(caller))),
				receivedAt: isoTime(receivedAtMs),
				elapsedMs: Number(bet.outcome?.['elapsedMs'] ?? 0),
				durableMs: Math.round((performance.now() - receivedMs) * 10) / 10,
			};
		},
		getCrashRound: async ({ round }) => {
			const { shared, record } = await provenRound(crash.table, round);
			const { result, voidReason, voidResult } = record;
			const crashCents = (of: unknown) => (of === null ? null : (of as CrashResult).cents);
			return {
				...shared,
				crashCents: crashCents(result),
				voided: voidReason && { reason: voidReason, crashCents: crashCents(voidResult) },
			};
		},
	};
};

/** The multiplier at which a bet is cashed out by itself, hundredths; null for none. @param largest of the brand, whole */
const atMost = (autoCents: number | null, largest: number | null): number | null =>
	largest === null ? autoCents : Math.min(autoCents ?? Number.POSITIVE_INFINITY, largest * 100);
