/**
 * A standby's rehearsal of its takeover: all parts of the server are opened, over connections that can only read and on
 * the state shown by the standby, and closed again. A takeover then runs compiled code, over connections with cached
 * tables; cold, its start takes several times as long. Nothing is written, sent or served.
 */
import { createEngine } from '#engine/create-engine.ts';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import { DurableViews } from '#server/exchange/views/durable-views.ts';
import { Stages } from '#server/platform/pacing/stages.ts';
import type { Config, Reach } from '#server/process/config.ts';
import { openLog } from '#server/process/log.ts';
import type { Database } from '#server/process/open-database.ts';
import { openServer } from '#server/process/start.ts';

/** An exchange that shows the standby's state and can do nothing: its engine is empty, and no lease has its epoch. */
const stage = (views: DurableViews): Recovered => ({
	engine: createEngine(),
	views,
	bets: new DurableViews().liveBets,
	unwrittenTrades: new Set(),
	openWorkflows: [],
	epoch: 0,
	batchSeq: 0,
	foundBatch: 0,
	chain: Buffer.alloc(0),
	lastStampMs: 0,
	clockAheadMs: 0,
});

const NOBODY: Reach = {
	natsUrl: null,
	sms: null,
	mail: null,
	signOn: null,
	exclusionList: null,
	hyperswitch: null,
	stream: null,
	metrics: null,
	commandRows: false,
	alarmUrl: null,
	alarmMails: [],
	timeSource: null,
};

/**
 * @param database connections that can only read
 * @throws if a part cannot be opened
 */
export async function rehearse(config: Config, database: Database, views: DurableViews): Promise<void> {
	await using started = new AsyncDisposableStack();
	const { log, flushed } = openLog('silent');
	started.defer(flushed);
	// One that fails leaves off before it would serve.
	started.defer(() => database.limitedToServe());
	const takenOver = { recovered: stage(views) };
	await openServer(
		{
			config,
			reach: NOBODY,
			log,
			database,
			stages: new Stages(),
			release: null,
			isRehearsal: true,
			onStopped: () => {},
			takenOver,
		},
		started,
	);
}
