/** What Prometheus reads from a running server. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Metrics } from '#server/process/metrics/metrics.ts';
import { watchStandby } from '#server/process/metrics/standby-metrics.ts';
import { HubClient } from '../hub/hub-client.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

/** More than any player has. */
const TOO_MUCH = 1_000_000;

let server: TestServer;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, { metrics: { port: 0, host: '127.0.0.1' }, commandRows: true });
	player = await server.demoPlayer();
});
afterAll(() => server.dispose());

type Figures = Record<string, number>;

/** `name{label="value"}` and its value, as Prometheus reads the text. */
async function scrape(url = server.running.metricsUrl ?? ''): Promise<Figures> {
	const response = await fetch(url);
	expect(response.headers.get('Content-Type')).toContain('text/plain; version=0.0.4');
	const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
	return Object.fromEntries(
		lines.map((line) => {
			const end = line.lastIndexOf(' ');
			return [line.slice(0, end), Number(line.slice(end + 1))];
		}),
	);
}

/** What was counted between two scrapes. */
const grown = (before: Figures, after: Figures, name: string): number => (after[name] ?? 0) - (before[name] ?? 0);

it('counts bets, batches and refusals', async () => {
	const match = await openTestMatch(server);
	const before = await scrape();
	for (const price of [2, 3, 4]) await server.result('placeBetV2', betOn(match, { price }), player.token);
	const refused = await server.call('placeBetV2', betOn(match, { stake: TOO_MUCH }), player.token);
	const after = await scrape();
	expect(grown(before, after, 'backlay_bet_events_total{event="PLACED"}')).toBe(3);
	expect(grown(before, after, `backlay_refusals_total{code="${refused.code}"}`)).toBe(1);
	expect(grown(before, after, 'backlay_commit_seconds_count')).toBeGreaterThanOrEqual(3);
	expect(grown(before, after, 'backlay_markets')).toBe(0);
	expect(after['backlay_commit_seconds_bucket{le="+Inf"}']).toBe(after['backlay_commit_seconds_count']);
});

it('says how far the ledger is, and what the process holds', async () => {
	const client = await HubClient.connect(server.url);
	onTestFinished(() => client.stop());
	const figures = await scrape();
	const { rows } = await server.database.db.query<{ epoch: number; batch: number }>('select epoch, batch from lease');
	expect(figures['backlay_ledger_epoch']).toBe(rows[0]?.epoch);
	// Heartbeats go on between the two reads.
	expect(figures['backlay_ledger_sealed_batch']).toBeLessThanOrEqual(rows[0]?.batch ?? 0);
	expect(figures['backlay_ledger_sealed_batch']).toBeGreaterThan(0);
	expect(figures).toMatchObject({
		backlay_exchange_open: 1,
		backlay_hub_connections: 1,
		'backlay_standbys{state="follows"}': 0,
		'backlay_feed_leases{state="runOut"}': 0,
		'backlay_database_connections_waiting{use="calls"}': 0,
	});
	expect(figures['backlay_database_connections_total{use="ledger"}']).toBeGreaterThan(0);
	expect(figures['nodejs_eventloop_lag_p99_seconds']).toBeGreaterThan(0);
	expect(figures['process_resident_memory_bytes']).toBeGreaterThan(0);
});

it('answers while the database does not, without what only the database knows', async () => {
	const locking = await server.database.db.connect();
	await locking.query('begin; lock table follower in access exclusive mode');
	const figures = await scrape().finally(() => locking.release(true));
	expect(figures).toMatchObject({ backlay_exchange_open: 1 });
	expect(Object.keys(figures).filter((name) => name.startsWith('backlay_standby'))).toEqual([]);
	expect(await scrape()).toMatchObject({ 'backlay_standbys{state="follows"}': 0 });
});

it('is not on the port of players, and has nothing else on its own', async () => {
	const metricsUrl = server.running.metricsUrl ?? '';
	expect((await server.send('/metrics', {})).code).toBe('NOT_FOUND');
	expect((await fetch(metricsUrl.replace('/metrics', '/'))).status).toBe(404);
	expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404);
});

it('is refused at a port that is taken', async () => {
	const port = Number(new URL(server.url).port);
	await expect(TestServer.start(undefined, { metrics: { port, host: '127.0.0.1' } })).rejects.toThrow(
		'METRICS_PORT cannot be used',
	);
});

it('shows how far a standby is once it has joined', async () => {
	const metrics = await Metrics.open({ port: 0, host: '127.0.0.1' });
	onTestFinished(() => metrics.close());
	const standby = { position: null as { epoch: number; batch: number; digest: string } | null };
	watchStandby(metrics, standby);
	expect(await scrape(metrics.url)).not.toHaveProperty('backlay_standby_batch');
	standby.position = { epoch: 1, batch: 12, digest: '' };
	expect(await scrape(metrics.url)).toMatchObject({ backlay_standby_batch: 12 });
});
