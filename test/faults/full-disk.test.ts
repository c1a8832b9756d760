/** The disk under the database is full for some seconds. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm } from './support/form.ts';
import { type Bet, demoPlayer, openBetIds, placeBet, restingBet } from './support/player-client.ts';
import { SmallDisk } from './support/small-disk.ts';

const DISK_MEGABYTES = 256;
/** Of a player whose bet is not answered. */
const PATIENCE_MS = byForm(3_000, 15_000);
const PLAYERS = byForm(4, 16);
/** Everything works again so long after the fault's end. */
const RECOVERED_WITHIN_MS = 30_000;

let disk: SmallDisk | null = null;
let server: FaultyServer;
beforeAll(async () => {
	disk = SmallDisk.mount(DISK_MEGABYTES);
	if (disk) server = await FaultyServer.start({ args: ['--no-feeds'], disk });
});
afterAll(async () => {
	await server?.dispose();
	disk?.dispose();
});

interface Stream {
	token: string;
	acknowledged: string[];
	/** Asked, and not answered with a bet. */
	unsure: Bet[];
}

it('a full disk loses no acknowledged bet and places no repeated one twice', async ({ skip }) => {
	if (!disk) skip();
	const market = await server.openMarket();
	const streams: Stream[] = [];
	for (let at = 0; at < PLAYERS; at++) streams.push({ token: await demoPlayer(server), acknowledged: [], unsure: [] });
	const betting = streams.map(async (stream) => {
		while (stream.unsure.length === 0) {
			const bet = restingBet(market);
			try {
				stream.acknowledged.push(await placeBet(server, stream.token, bet, PATIENCE_MS));
			} catch {
				stream.unsure.push(bet);
			}
		}
	});
	disk?.fill();
	// Until no player gets an answer any more.
	await Promise.all(betting);
	disk?.free();
	await expect
		.poll(async () => await placeBet(server, await demoPlayer(server), restingBet(market)), {
			timeout: RECOVERED_WITHIN_MS,
		})
		.toEqual(expect.any(String));
	for (const { token, acknowledged, unsure } of streams) {
		const repeated: string[] = [];
		for (const bet of unsure) repeated.push(await placeBet(server, token, bet));
		expect((await openBetIds(server, token)).sort()).toEqual([...acknowledged, ...repeated].sort());
	}
	expect(await server.failedAuditChecks()).toEqual([]);
});
