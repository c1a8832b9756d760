/**
 * Reads of visitors, answered in a gateway by the same handlers over the gateway's copy. Players' calls are passed on,
 * because only the process with the engine knows logins, players' pools and their closed sports.
 */
import { answerCalls } from '#server/calls/answer-calls.ts';
import type { AnswerCall, CheckedCall } from '#server/calls/checked-call.ts';
import { shownHandlers } from '#server/calls/shown-handlers.ts';
import type { FollowedProjection } from '#server/doors/gateway/followed-projection.ts';
import type { FollowedSite } from '#server/doors/gateway/site-facts.ts';
import type { Pool } from '#values/pools.ts';

interface VisitorCallsOptions {
	projection: Pick<FollowedProjection, 'shown' | 'caughtUp'>;
	/** Of the engine behind. */
	pools: readonly Pool[];
	site: Pick<FollowedSite, 'byHost' | 'caughtUp'>;
	/** Answers in the process with the engine. */
	remote: AnswerCall;
}

const NONE: ReadonlySet<never> = new Set();

export function answerVisitors({ pools, projection, site, remote }: VisitorCallsOptions): AnswerCall {
	const { shown } = projection;
	const handlers = shownHandlers(shown);
	const here = answerCalls({
		handlers,
		brands: site,
		fixtures: shown.fixtures,
		players: {
			claimed: () => null,
			admitMoney: () => undefined,
			freshCountries: () => null,
			countryOf: () => null,
			freshExclusion: () => null,
		},
		protection: { limits: { readLosses: () => null } },
		sports: { closed: () => NONE },
		exchange: { fresh: () => null, pools, now: Date.now },
		rateLimitFactor: 1,
	});
	/** A client may have seen a newer list on another gateway. */
	const isKnownHere = async ({ seen = 0 }: CheckedCall): Promise<boolean> =>
		(await site.caughtUp()) && (await projection.caughtUp()) && seen <= shown.version;
	const answerVisitor: AnswerCall = async (call) => ((await isKnownHere(call)) ? await here(call) : await remote(call));
	// Nothing here waits for a player's call.
	return (call) => (call.claim === null && call.name in handlers ? answerVisitor(call) : remote(call));
}
