/** Crash with a chain that the test knows, so that it can choose seeds of players for the rounds that it needs. */
import { randomBytes } from 'node:crypto';
import type { ResultOf } from '../../src/contract/call.ts';
import type { Calls } from '../../src/contract/registry.ts';
import { CRASH_RETURN } from '../../src/games/crash/crash.ts';
import { chainOf, crashCents } from '../../src/games/crash/crash-result.ts';
import { madeChain } from '../../src/server/money/casino/tables/hash-chain.ts';
import { DataKeys } from '../../src/server/platform/keys/data-keys.ts';
import { type FreshDatabase, freshDatabase } from './database.ts';
import { type Player, TestServer, TOKEN_KEY } from './server.ts';

export type CrashState = ResultOf<Calls['getCrash']>['state'];

const SALT = 'salt of a test';
const LENGTH = 400;
/** Rounds that no test bets on are waited for. Of several chains the one is taken whose first rounds without bets end soonest. */
const CHAINS = 100;
const FIRST_ROUNDS = 12;
/** A seed decides this many rounds beforehand, unless a test asks for more. */
const ROUNDS_AHEAD = 5;
/** A table is asked for a phase without a known end so often: a thirtieth of the shortest. */
export const POLL_MS = 15;

/** Until a table is asked for its phase again: it does not end before that. */
export const phaseLasts = ({ leftMs }: { leftMs: number | null }): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, Math.max(POLL_MS, leftMs ?? 0)));

/** Half a second for bets; two seconds to a multiplier of four. */
export const TABLE_SPEED = 10;

export class CrashSite {
	readonly server: TestServer;
	/** h_0 to h_N. */
	readonly #hashes: readonly string[];

	private constructor(server: TestServer, hashes: readonly string[]) {
		this.server = server;
		this.#hashes = hashes;
	}

	static async open(speed = TABLE_SPEED): Promise<CrashSite> {
		const database = await freshDatabase();
		const hashes = await writeChain(database);
		return await new CrashSite(await TestServer.start(database, { tableSpeed: speed }), hashes).#opened();
	}

	/** The same database with another process, as far as the rounds can tell. */
	restarted(): Promise<CrashSite> {
		return this.restartedAfter(this.server);
	}

	/** The same after another process than the site's. */
	async restartedAfter(last: TestServer): Promise<CrashSite> {
		await last.stop();
		const server = await TestServer.start(this.server.database, { tableSpeed: TABLE_SPEED });
		return await new CrashSite(server, this.#hashes).#opened();
	}

	/** The table opens when the rounds of the process before have ended. */
	async #opened(): Promise<this> {
		while ((await this.server.call('getCrash', {})).code === 'TABLE_CLOSED')
			await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		return this;
	}

	/** Secret until the round has crashed. */
	hashOf(round: number): string {
		return this.#hashes[round] as string;
	}

	async state(): Promise<CrashState> {
		return (await this.server.result('getCrash', {})).state;
	}

	/** Resolves when a round has come to that phase. @param after rounds up to this one are passed over */
	async reached(phase: CrashState['phase'], after = 0): Promise<CrashState> {
		for (;;) {
			const state = await this.state();
			if (state.phase === phase && Number(state.round) > after) return state;
			await phaseLasts(state);
		}
	}

	/** The beginning of a betting window. */
	async opening(): Promise<CrashState> {
		return this.reached('BETTING', Number((await this.state()).round));
	}

	/** A player with whose seed alone the next rounds crash between these multipliers. */
	async playerFor(range: readonly [number, number]): Promise<Player> {
		const player = await this.server.demoPlayer();
		await this.seedFor(player, range);
		return player;
	}

	/** Gives the player a seed with which alone the next rounds crash between these multipliers. */
	async seedFor(
		{ token }: Pick<Player, 'token'>,
		[least, most]: readonly [number, number],
		ahead = ROUNDS_AHEAD,
	): Promise<void> {
		const round = Number((await this.state()).round);
		const rounds = Array.from({ length: ahead }, (_, index) => round + 1 + index);
		for (;;) {
			const clientSeed = randomBytes(8).toString('hex');
			const fits = (number: number) => {
				const cents = this.crashOf(number, [clientSeed]);
				return cents >= least && cents <= most;
			};
			if (!rounds.every(fits)) continue;
			await this.server.beginSeeds({ token }, clientSeed);
			return;
		}
	}

	crashOf(round: number, bettorSeeds: readonly string[]): number {
		return crashOf(this.#hashes, round, bettorSeeds);
	}
}

function crashOf(hashes: readonly string[], round: number, bettorSeeds: readonly string[]): number {
	return crashCents({ hash: hashes[round] as string, salt: SALT, bettorSeeds, returnPercent: CRASH_RETURN });
}

/** How long the first rounds fly without bets, all together, in any unit. */
function firstFlights(terminal: Buffer): number {
	const hashes = chainOf(terminal.toString('hex'), LENGTH);
	const rounds = Array.from({ length: FIRST_ROUNDS }, (_, index) => 1 + index);
	return rounds.reduce((sum, round) => sum + Math.log(crashOf(hashes, round, []) / 100), 0);
}

/** The last hash of the chain. */
function quickTerminal(): Buffer {
	const terminals = Array.from({ length: CHAINS }, () => randomBytes(32));
	const flights = new Map(terminals.map((terminal) => [terminal, firstFlights(terminal)]));
	return terminals.reduce((best, other) => ((flights.get(other) ?? 0) < (flights.get(best) ?? 0) ? other : best));
}

async function writeChain(database: FreshDatabase): Promise<string[]> {
	const terminal = quickTerminal();
	const { commitment, checkpoints } = await madeChain(terminal, LENGTH);
	const { keyId, bytes } = new DataKeys([TOKEN_KEY]).seal(checkpoints, 'chain crash 1');
	await database.db.query(
		`insert into game_chain (game, number, commitment, length, salt, return_percent, is_development, key_id, secret,
			first_round, owner, begun_at) values ('crash', 1, $1, $2, $3, $4, false, $5, $6, 1, 'nothing', 0)`,
		[commitment, LENGTH, SALT, CRASH_RETURN, keyId, bytes],
	);
	return chainOf(terminal.toString('hex'), LENGTH);
}
