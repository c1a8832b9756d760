/**
 * Connects a hand-over with the parts of the server: the work that it holds and passes on, and the parts that stop when
 * another process has the lease.
 */
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

/** For calls, and for other requests. */
interface Gates {
	calls: Gate;
	requests: Gate;
}

interface HandedOver {
	trading: Pick<Trading, 'exchange'>;
	/** They and the providers send, pay and play on their own. */
	accounts: Pick<Accounts, 'outbox' | 'mails' | 'casino' | 'funds'>;
	providers: Pick<Providers, 'stop'>;
	/** A standby has to have the same contract. */
	calls: Pick<PlayersCalls, 'document' | 'receipts'>;
	gates: Gates;
	/** They hold clients, which have to reconnect to the successor. */
	leaving: {
		readiness: Pick<Readiness, 'stopping'>;
		changes: Pick<ConsoleChanges, 'close'>;
		bots: Pick<Bots, 'stop'>;
		hub: Pick<Hub, 'close'>;
	};
}

/** Null if no standby can follow. */
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
		// The successor's counterparts send, pay and play now.
		providers.stop();
		stopped(accounts.outbox.stop(), accounts.mails.stop(), accounts.casino.stop(), accounts.funds.stop());
	};
	const onLeft = () => {
		leaving.readiness.stopping();
		leaving.changes.close();
		stopped(leaving.bots.stop(), leaving.hub.close());
	};
	const mark = markOf(config.tokenKey, calls.document);
	const { exchange } = trading;
	return new HandOver({ db, log, exchange, gates, receipts: calls.receipts, mark, onTaken, onLeft, onStopped });
}

/** Passes requests to another process, and takes those passed by another one. */
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
