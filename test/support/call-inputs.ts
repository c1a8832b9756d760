/** Requests for every call of the contract, for tests that try them all. */
import type { Call } from '#contract/call.ts';
import type { CallName } from '#contract/registry.ts';
import { betOn, freshRequestId, type TestMatch } from './match.ts';

/** A valid request, so that the one replaced field is judged. */
export function goodInputOf(name: CallName, match: TestMatch): Record<string, unknown> {
	const inputs: Partial<Record<CallName, Record<string, unknown>>> = {
		authenticate: { userNameOrEmailAddress: 'nobody', password: 'nothing' },
		placeBetV2: { ...betOn(match) },
		placeOnClose: {
			marketId: match.marketId,
			runnerId: match.runnerIds[0],
			side: 'BACK',
			size: 100,
			clientRequestId: freshRequestId(),
		},
		cancelBet: { betId: '1', clientRequestId: freshRequestId() },
		replaceBet: { betId: '1', price: 2, clientRequestId: freshRequestId() },
		addUserStake: { stakes: [{ title: '1', value: 1 }] },
		cancelAll: { marketId: match.marketId, clientRequestId: freshRequestId() },
		cashOut: { marketId: match.marketId, fraction: 1, quoteVersion: '1', clientRequestId: freshRequestId() },
		placeTrigger: { ...betOn(match), moves: 'FALLS', at: 2 },
		placePlan: { ...betOn(match), plan: { kind: 'ICEBERG', visible: 50 } },
		cancelTrigger: { triggerId: '1', clientRequestId: freshRequestId() },
		setCashOutTarget: { marketId: match.marketId, target: 1 },
		getConfirmedActivity: { id: 'bet-1', clientRequestId: 'request-of-a-test' },
		getLadder: { marketId: match.marketId, runnerId: match.runnerIds[0] },
		getPriceHistory: { marketId: match.marketId, runnerId: match.runnerIds[0] },
	};
	return inputs[name] ?? { eventId: match.eventId, marketId: match.marketId, marketIds: match.marketId };
}

export const fieldsOf = (call: Call): string[] =>
	Object.keys((call.request as unknown as { entries?: Record<string, unknown> }).entries ?? {});
