/**
 * `npm run bench -- player-page`: the console's page of a player with a tenth of a million bets, beside 100,000 players
 * of ten brands, whom SQL fills in, Today of all brands, and a search by name. `busyMs` is that page, `quietMs` the page of a player with ten bets in the same
 * server, `ratio` one over the other; `mustMs` is the limit of the design. Prints one JSON line.
 */
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { percentile, print, round } from './support/figures.ts';
import { fillPlayers } from './support/filled-players.ts';
import { openDoors } from './support/operator-doors.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';

const SIZE = { players: 100_000, bets: 1_000_000, brands: 10 };
const CALLS = 30;
const MUST = { busyMs: 200, todayMs: 200, searchMs: 100 };
/** Of `fillPlayers`. */
const QUERY = 'filled 9999';

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir);
	try {
		const doors = await openDoors(server.port, dataDir, 'owner');
		// The server's own cluster is running; this only finds it.
		const db = connect((await startEmbeddedPostgres({ dataDir, isGuest: true })).url('backlay'), { max: 1 });
		const { busy, quiet } = await fillPlayers(db, SIZE);
		await db.end();
		const page = (playerId: number) => () => doors.asMember('player', { playerId: String(playerId) });
		const quietMs = await latency(page(quiet));
		const busyMs = await latency(page(busy));
		const todayMs = await latency(() => doors.asMember('today', {}));
		const searchMs = await latency(() => doors.asMember('player-search', { query: QUERY }));
		doors.close();
		const ratio = round(busyMs.p50 / quietMs.p50, 1);
		print({ ...SIZE, busyMs, quietMs, ratio, todayMs, searchMs, must: MUST });
	} finally {
		await server.stop();
	}
});

async function latency(ask: () => Promise<unknown>): Promise<{ p50: number; p99: number }> {
	const took: number[] = [];
	for (let call = 0; call < CALLS; call++) {
		const from = performance.now();
		await ask();
		took.push(performance.now() - from);
	}
	return { p50: round(percentile(took, 0.5), 1), p99: round(percentile(took, 0.99), 1) };
}
