/** What Prometheus reads from a running server. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { Metrics } from '#server/process/metrics/metrics.ts';
import { watchEngines } from '#server/process/metrics/serving-metrics.ts';
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
		backlay_uneven_markets: 0,
		'backlay_standbys{state="follows"}': 0,
		'backlay_feed_leases{state="runOut"}': 0,
		'backlay_database_connections_waiting{use="calls"}': 0,
	});
	expect(figures['backlay_database_connections_open{use="ledger"}']).toBeGreaterThan(0);
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

describe('the files for Prometheus and Grafana', () => {
	const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', '..', 'deploy', path), 'utf8');
	const RULES = read('prometheus/backlay.rules.yml');
	const expressions = [
		...[...RULES.matchAll(/^ +expr: (.*)$/gm)].map(([, text = '']) => text),
		...[...read('grafana/backlay.json').matchAll(/"expr": "(.*)"/g)].map(([, text = '']) => text),
	];

	it('name only figures that a process has', async () => {
		// Labels and values that only a fault brings exist from the first refusal.
		await server.send('/nowhere', {});
		const metrics = await Metrics.open({ port: 0, host: '127.0.0.1' });
		onTestFinished(() => metrics.close());
		watchStandby(metrics, { position: { epoch: 1, batch: 1 } });
		watchEngines(metrics, { states: async () => ({}) });
		const texts = await Promise.all(
			[server.running.metricsUrl ?? '', metrics.url].map(async (url) => await (await fetch(url)).text()),
		);
		const known = new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)));
		const named = expressions.flatMap((text) => text.match(/\b(backlay|nodejs|process)_[a-z0-9_]+/g) ?? []);
		const unknown = named.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')));
		expect(named.length).toBeGreaterThan(30);
		expect(unknown).toEqual([]);
	});

	it('have a rule for each figure that RUNBOOK calls worth one, and the memory none', () => {
		const runbook = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'RUNBOOK.md'), 'utf8');
		const [, section = ''] = runbook.split('\n## Watch the figures\n');
		const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
		const figures = rows
			.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(.*?)`/g)])
			.map(([, figure = '']) => figure.replace(/\{.*"\.\.\."\}/, ''));
		expect(figures.length).toBeGreaterThan(15);
		expect(figures.filter((figure) => !RULES.includes(figure))).toEqual(['process_resident_memory_bytes']);
	});

	it('lead to sections of RUNBOOK', () => {
		const sections = [...RULES.matchAll(/^ +runbook: (.*)$/gm)].map(([, section = '']) => section);
		const runbook = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'RUNBOOK.md'), 'utf8');
		expect(sections.length).toBe([...RULES.matchAll(/- alert: /g)].length);
		expect(sections.filter((section) => !runbook.includes(`\n## ${section}\n`))).toEqual([]);
	});

	const promtool = spawnSync('promtool', ['--version']);
	it.skipIf(promtool.error)('are rules that Prometheus accepts', () => {
		const file = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus', 'backlay.rules.yml');
		const check = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
		expect(check.stderr).toBe('');
		expect(check.status).toBe(0);
	});
});

it('names figures as OpenMetrics does: only counters end in _total', async () => {
	const text = await (await fetch(server.running.metricsUrl ?? '')).text();
	const types = [...text.matchAll(/^# TYPE (backlay_\S+) (\S+)/gm)].map(([, name = '', type = '']) => ({ name, type }));
	expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
	expect(types.length).toBeGreaterThan(15);
});

it('counts requests by route and class of status, and what waits', async () => {
	const match = await openTestMatch(server);
	const before = await scrape();
	await server.result('placeBetV2', betOn(match, { price: 2 }), player.token);
	await server.call('placeBetV2', betOn(match, { stake: TOO_MUCH }), player.token);
	const after = await scrape();
	const path = CALLS.placeBetV2.path;
	for (const status of ['2xx', '4xx'])
		expect(grown(before, after, `backlay_request_seconds_count{route="/${path}",status="${status}"}`)).toBe(1);
	expect(after).toMatchObject({ 'backlay_waiting{what="proposal_open"}': 0, backlay_alarms: 0 });
});

it('names the pools on each figure of an engine of some pools', async () => {
	const metrics = await Metrics.open({ port: 0, host: '127.0.0.1', labels: { pools: 'REAL' } });
	onTestFinished(() => metrics.close());
	metrics.counter('backlay_made_total', 'Of a test.').inc(3);
	expect(await scrape(metrics.url)).toMatchObject({ 'backlay_made_total{pools="REAL"}': 3 });
});
