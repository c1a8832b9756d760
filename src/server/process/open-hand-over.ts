/** Ties a hand-over to the parts of the server: what it holds and passes on, and what stops when the lease is another's. */
import type { Bots } from '#server/doors/bots-api/open-bots.ts';
import { markOf } from '#server/doors/gateway/call-messages.ts';
import type { Hub } from '#server/doors/hub/open-hub.ts';
import type { PassingRoutes, PlayersCalls } from '#server/doors/open-doors.ts';
import type { Trading } from '#server/exchange/open-trading.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { ConsoleChanges } from '#server/operators/changes.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import type { Gate } from '#server/process/hand-over/gate.ts';
import { gateRequests } from '#server/process/hand-over/gate-requests.ts';
import { HandOver } from '#server/process/hand-over/hand-over.ts';
import { passedCallRoute } from '#server/process/hand-over/pass-calls.ts';
import { passedRequestRoute, passRequestsTo } from '#server/process/hand-over/pass-requests.ts';
import type { Accounts } from '#server/process/open-accounts.ts';
import type { Opening } from '#server/process/opening.ts';
import type { Readiness } from '#server/process/readiness.ts';

/** Of calls, and of requests that are none. */
interface Gates {
	calls: Gate;
	requests: Gate;
}

interface HandedOver {
	trading: Pick<Trading, 'exchange'>;
	/** They and the providers send, pay and play by themselves. */
	accounts: Pick<Accounts, 'outbox' | 'casino' | 'funds'>;
	providers: Pick<Providers, 'stop'>;
	/** A standby has to have the same contract. */
	calls: Pick<PlayersCalls, 'document'>;
	gates: Gates;
	/** They hold clients, which have to go to the successor. */
	leaving: {
		readiness: Pick<Readiness, 'stopping'>;
		changes: Pick<ConsoleChanges, 'close'>;
		bots: Pick<Bots, 'stop'>;
		hub: Pick<Hub, 'close'>;
	};
}

/** Null where no standby can follow. */
export function openHandOver(
	{ config, reach, database: { db }, log, onStopped }: Opening,
	{ trading, accounts, providers, calls, gates, leaving }: HandedOver,
): HandOver | null {
	if (!reach.commandRows) return null;
	const stopped = (...stopping: Promise<void>[]) => {
		void Promise.all(stopping).catch((error: unknown) => {
			log.error({ err: error }, 'a part could not be stopped after the hand-over');
		});
	};
	const onTaken = () => {
		// The successor's send, pay and play now.
		providers.stop();
		stopped(accounts.outbox.stop(), accounts.casino.stop(), accounts.funds.stop());
	};
	const onLeft = () => {
		leaving.readiness.stopping();
		leaving.changes.close();
		leaving.bots.stop();
		stopped(leaving.hub.close());
	};
	const mark = markOf(config.tokenKey, calls.document);
	return new HandOver({ db, log, exchange: trading.exchange, gates, mark, onTaken, onLeft, onStopped });
}

/** Requests that this process passes, and what another one passes. */
export function handOverRoutes(
	{ config: { callDeadlineMs, tokenKey }, log }: Opening,
	{ calls: { answer }, gates }: { calls: Pick<PlayersCalls, 'answer'>; gates: Gates },
): PassingRoutes {
	const operatorKey = operatorKeyOf(tokenKey);
	return {
		gateRequests: (scope) =>
			gateRequests(scope, { gate: gates.requests, passTo: passRequestsTo(operatorKey), callDeadlineMs }),
		passedRoutes: (server) => {
			passedCallRoute(server, { answer, operatorKey, log });
			passedRequestRoute(server, operatorKey);
		},
	};
}
