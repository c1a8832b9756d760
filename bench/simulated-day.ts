/**
 * `npm run bench:simulated-day`: what a day of simulated sports leaves behind, a day passing in some minutes. One JSON
 * line: fixtures played and those still in memory, bets placed and the rows left of them, and the heap after a collection.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/start.ts';
import { print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';

const { values } = parseArgs({
	options: { hours: { type: 'string', default: '24' }, speed: { type: 'string', default: '600' } },
});
const [hours, speed] = [Number(values.hours), Number(values.speed)];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapMb = (): number => {
	collect();
	return round(process.memoryUsage().heapUsed / 1e6, 1);
};

await withDataDir(async (dataDir) => {
	const args = ['--port', '0', '--log-level', 'warn', '--sim-speed', String(speed)];
	const server = await startServer(readConfig(args, {}, dataDir), (error) => {
		throw error;
	});
	const count = async (sql: string) => (await server.pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
	const heapAtStartMb = heapMb();
	await delay((hours * 3_600_000) / speed);
	print({
		simulatedHours: hours,
		speed,
		fixturesPlayed: await count('select count(*)::int as count from fixture'),
		fixturesInMemory: server.fixtures.all().length,
		betsPlaced: await count('select last_bet_id::int as count from lease'),
		betRows: await count('select count(*)::int as count from bet'),
		postings: await count('select count(*)::int as count from posting'),
		heapAtStartMb,
		heapMb: heapMb(),
	});
	await server.stop();
});
