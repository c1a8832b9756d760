/** References of receipts that are given just before a process hands over, or stops: their roots are written by then. */
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { ReceiptWriter, receiptOnDemand } from '#server/platform/public-log/receipt-writer.ts';
import { Gate } from '#server/process/hand-over/gate.ts';
import { HandOver } from '#server/process/hand-over/hand-over.ts';
import { GatedDatabase } from '../ledger/gated-database.ts';
import { freshDatabase } from '../support/database.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { bearer, LEDGER_KEY, TestServer } from '../support/server.ts';

const log = pino({ level: 'silent' });
const STATEMENT = { call: 'placeBetV2', host: 'localhost', player: 1, result: 'ab', clientRequestId: 'last' };

async function open() {
	const database = await freshDatabase();
	onTestFinished(database.drop);
	const gated = new GatedDatabase(database.db);
	const exchange = await openExchange({
		db: database.db,
		ledger: gated.asDatabase(),
		log,
		ledgerKey: LEDGER_KEY,
		commandRows: true,
		onCommitted: () => {},
	});
	onTestFinished(() => exchange.drain());
	return { db: database.db, gated, exchange };
}

it('hands over with the receipts that the last answers named', { tags: 'thorough' }, async () => {
	const { db, exchange } = await open();
	const lost: unknown[] = [];
	const receipts = new ReceiptWriter({
		writeRoot: (make) => exchange.writeReceiptRoot(make),
		ledgerKey: LEDGER_KEY,
		clock: () => exchange.now(),
		batch: () => exchange.durableBatch(),
		lost: (error) => lost.push(error),
	});
	const patience = { silenceMs: 60_000, goneMs: 60_000 };
	const standby = new Standby({ db, log, sealer: new LedgerSealer(LEDGER_KEY), mark: 'ours', ...patience });
	const ended = standby.run();
	onTestFinished(() => standby.stop());
	let reference = '';
	/** The last call that was let through is answered while the gate closes. */
	class LastCall extends Gate {
		override async hold(): Promise<void> {
			reference = receipts.reference(STATEMENT);
			await super.hold();
		}
	}
	const left = Promise.withResolvers<void>();
	const handOver = new HandOver({
		db,
		log,
		exchange,
		gates: { calls: new LastCall(), requests: new Gate() },
		receipts,
		mark: 'ours',
		onTaken: () => {},
		onLeft: left.resolve,
		onStopped: () => {},
	});
	const begun = () =>
		handOver.begin().then(
			() => true,
			() => false,
		);
	await expect.poll(begun, { timeout: 30_000 }).toBe(true);
	expect((await ended)?.epoch).toBeGreaterThan(exchange.epoch());
	await left.promise;
	expect(lost).toEqual([]);
	expect(await receiptOnDemand(db, LEDGER_KEY, reference)).toMatchObject({ index: 0 });
});

it('writes no root of receipts while the lease is being handed over', async () => {
	const { gated, exchange } = await open();
	const { reached, open: release } = gated.stop('released = true');
	const handedOver = exchange.handOver('nobody', () => {});
	await reached;
	const batch = exchange.durableBatch();
	const root = { id: 'a1', size: 1, root: Buffer.alloc(32), atMs: 7, onDemand: null };
	let isMade = false;
	const written = exchange.writeReceiptRoot(() => {
		isMade = true;
		return root;
	});
	for (let turns = 0; turns < 5; turns++) await turn();
	expect([isMade, exchange.durableBatch()]).toEqual([false, batch]);
	release();
	expect(await handedOver).toBeNull();
	await written;
	expect(isMade).toBe(true);
});

it('stops with the receipts that the last answers named', async () => {
	const server = await TestServer.start();
	onTestFinished(() => server.dispose());
	const player = await server.demoPlayer();
	const match = await openTestMatch(server);
	const answer = server.post(CALLS.placeBetV2.path, JSON.stringify(betOn(match, { price: 3 })), {
		...bearer(player.token),
		'X-Receipt': 'later',
	});
	await expect.poll(() => server.running.exchange.openBets(player.userId).length, { interval: 1 }).toBe(1);
	await server.stop();
	const reference = (await answer).headers.get('x-receipt') ?? '';
	expect(await receiptOnDemand(server.database.db, LEDGER_KEY, reference)).toMatchObject({ index: 0 });
});
