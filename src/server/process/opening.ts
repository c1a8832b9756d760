/** The parameters of opening the server: for a start, for a standby that takes over, and for a rehearsal. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import type { LifeSignsThread } from '#server/exchange/standby/life-signs-thread.ts';
import type { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import type { NatsBus } from '#server/platform/bus/nats-bus.ts';
import type { Stages } from '#server/platform/pacing/stages.ts';
import type { BehindCalls } from '#server/process/call-door.ts';
import type { OwnConfig, Reach } from '#server/process/config.ts';
import type { OwnRelease } from '#server/process/health/own-release.ts';
import type { Database } from '#server/process/open-database.ts';

/** The state that a standby passes to the server. */
export interface TakenOver {
	recovered: Recovered;
	/** Its connections, which it closes itself. */
	database: Database;
	/** It already listens on the server's port. */
	listening: FastifyInstance;
	/** The thread that gives signs of life, which it stops itself. */
	lifeSigns: LifeSignsThread;
	/** It asks providers for their games, as the server does. */
	games: ProviderGames;
	/** As the standby found it when it started. */
	release: OwnRelease | null;
	/** Its connection to gateways, which it closes itself; null without gateways. */
	nats: NatsBus | null;
	/** Called with the answering of calls, before anything else is served. */
	onAnswering: (behind: BehindCalls) => Promise<void>;
	/** Called with the server when it is ready: the port is its from then on. */
	onReady: (http: FastifyInstance) => void;
}

export interface Opening {
	config: OwnConfig;
	reach: Reach;
	log: Logger;
	database: Database;
	stages: Stages;
	/** Null while it is developed, and in a rehearsal. */
	release: OwnRelease | null;
	/** Nothing may be written. */
	isRehearsal: boolean;
	/** Called when the server cannot continue on its own. */
	onStopped: (error: Error) => void;
	/**
	 * The state of a standby; a rehearsal passes the state shown by the standby. By default it is read from the tables,
	 * or created.
	 */
	takenOver?: Partial<TakenOver> | undefined;
}
