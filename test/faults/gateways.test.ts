/**
 * Real processes: bets through gateways while each of the parts between player and ledger goes and comes back.
 *
 * @module-tag thorough
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { expectSound } from '../support/audit.ts';
import { byForm } from './support/form.ts';
import { GatewayCluster } from './support/gateway-cluster.ts';
import { GatewayCrowd } from './support/gateway-crowd.ts';

const program = findNatsServer();
const GATEWAYS = byForm(2, 3);
const PLAYERS = 6;
const ROUNDS = byForm(1, 8);
/** Bets that have to be acknowledged before the next fault. */
const BETS = byForm(10, 30);
const LIMIT_MS = 90_000 + ROUNDS * 30_000;

describe.skipIf(program === null)('gateways', () => {
	it(
		'lose and double no bet when a gateway or the process with the engine is killed, NATS is away, or a standby takes over meanwhile',
		async () => {
			const cluster = await GatewayCluster.start(program as string, GATEWAYS);
			onTestFinished(() => cluster.dispose());
			const crowd = new GatewayCrowd(cluster);
			onTestFinished(() => crowd.close());
			await expectSharedLimit(cluster, await crowd.open(PLAYERS));
			const betId = await crowd.named('from-the-browser');
			const batchSeq = await cluster.loggedBatch('from-the-browser');
			const { rows } = await cluster.database.db.query('select ref::text from posting where batch = $1', [batchSeq]);
			expect(rows).toContainEqual({ ref: betId });
			crowd.work();
			for (let round = 0; round < ROUNDS; round++) {
				await crowd.bets(BETS);
				await cluster.killGateway(round % GATEWAYS);
				await crowd.bets(BETS);
				await cluster.replaceEngine();
				await crowd.bets(BETS);
				await cluster.replaceGateway(round % GATEWAYS);
				await cluster.startStandby();
				await cluster.stopNats();
				await cluster.gatewaysNotice();
				await crowd.expectNothingDone('OVERLOADED');
				await cluster.takeOver();
				await cluster.startNats();
				await crowd.bets(BETS);
			}
			await crowd.rest();
			await crowd.expectNothingLost();
			await expectSound(cluster.database.url);
		},
		LIMIT_MS,
	);
});

/**
 * The players' own log-ins count, too.
 * @param asked how many there were; those that a busy process refused may count or not
 */
async function expectSharedLimit(cluster: GatewayCluster, asked: number): Promise<void> {
	const { path, perMinute } = CALLS.loginAsDemoUser;
	const left = Number(perMinute) - PLAYERS;
	const statuses: number[] = [];
	for (let count = 0; count <= left; count++) {
		const url = cluster.urls()[count % GATEWAYS] ?? '';
		statuses.push((await fetch(`${url}/${path}`)).status);
	}
	const first = statuses.indexOf(429);
	expect(first).toBeGreaterThanOrEqual(Number(perMinute) - asked);
	expect(first).toBeLessThanOrEqual(left);
}
