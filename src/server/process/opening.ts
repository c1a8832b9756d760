/** What the server is opened with: by a start, by a standby that takes over, and by a rehearsal. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import type { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import type { NatsBus } from '#server/platform/bus/nats-bus.ts';
import type { Stages } from '#server/platform/pacing/stages.ts';
import type { OwnConfig, Reach } from '#server/process/config.ts';
import type { Database } from '#server/process/open-database.ts';

/** What a standby has when it becomes the server. */
export interface TakenOver {
	recovered: Recovered;
	/** Its connections, which it closes itself. */
	database: Database;
	/** Listens on the server's port already. */
	listening: FastifyInstance;
	/** It asks providers for their games, as the server does. */
	games: ProviderGames;
	/** Its connection to gateways, which it closes itself; null without gateways. */
	nats: NatsBus | null;
	/** Told how calls are answered, before anything else is served. */
	onAnswering: (answer: AnswerCall) => Promise<void>;
}

export interface Opening {
	config: OwnConfig;
	reach: Reach;
	log: Logger;
	database: Database;
	stages: Stages;
	/** Nothing may be written. */
	isRehearsal: boolean;
	/** The server cannot continue by itself. */
	onStopped: (error: Error) => void;
	/** What a standby brings; a rehearsal brings what the standby shows. Read from the tables, or made, by default. */
	takenOver?: Partial<TakenOver> | undefined;
}
