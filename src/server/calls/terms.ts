import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

const view = ({ funds }: Parts, playerId: PlayerId): ResultOf<Calls['getTerms']> => ({
	texts: funds.terms.held(playerId).map(({ acceptedAtMs, ...text }) => ({
		...text,
		acceptedAt: acceptedAtMs === null ? null : isoTime(acceptedAtMs),
	})),
});

export const termsHandlers = (parts: Parts): HandlersOf<'getTerms' | 'acceptTerms'> => ({
	getTerms: (_, caller) => view(parts, playerOf(caller).playerId),
	acceptTerms: async ({ terms, privacy }, caller) => {
		const { playerId, isDemo } = playerOf(caller);
		if (isDemo) throw new Refused('FORBIDDEN');
		await parts.funds.terms.accept(playerId, { TERMS: terms, PRIVACY: privacy }, caller.visitor.address);
		return view(parts, playerId);
	},
});
