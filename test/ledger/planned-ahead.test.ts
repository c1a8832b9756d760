/** What a settlement sends to the database was planned there before: the first one of a day holds up no bet. */
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { openMonths } from '#server/platform/postgres/months.ts';
import { expectSound } from '../support/audit.ts';
import { freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { END_WRITING } from './end-writing.ts';
import { plainBet, plainMarket } from './plain-market.ts';

const MARKET = 1;
const PLAYERS = [1001, 1002, 1003, 1004];
const BETS_A_STEP = 4;
const BETS = 24;

const bet = (at: number) => plainBet(MARKET, PLAYERS[at % PLAYERS.length] ?? 0, at % 2 === 0 ? 0 : 1);

/** @returns also the names of the statements that the connection for batches was sent, in their order */
async function opened() {
	const database = await freshDatabase();
	await openMonths(database.db, Date.now());
	const ledger = connect(database.url, { max: 1 });
	const sent: string[] = [];
	ledger.on('connect', (client) => {
		sent.length = 0;
		const send: (...query: unknown[]) => unknown = Reflect.get(client, 'query');
		const query = (...asked: unknown[]) => {
			const [{ name }] = asked as [{ name?: string }];
			if (name !== undefined) sent.push(name);
			return send(...asked);
		};
		Object.assign(client, { query });
	});
	const exchange = await openExchange({
		ledgerKey: LEDGER_KEY,
		db: database.db,
		ledger,
		commandRows: true,
		betsAStep: BETS_A_STEP,
		log: pino({ level: 'silent' }),
		onCommitted: () => {},
		onStopped: () => {},
	});
	onTestFinished(async () => {
		await exchange.drain();
		await ledger.end();
		await database.drop();
	});
	await exchange.submit(plainMarket(MARKET));
	for (const walletId of PLAYERS) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 10_000_000 });
	}
	return { database, exchange, sent };
}

it('the first settlement sends no statement that the connection has not executed before', async () => {
	const { database, exchange, sent } = await opened();
	let batch: number | undefined;
	for (let at = 0; at < BETS; at++) batch = (await exchange.submit(bet(at))).batchSeq;
	// Executed ahead, they write nothing.
	const { rows } = await database.db.query('select batch from lease');
	expect(rows).toEqual([{ batch }]);
	const before = new Set(sent);
	const from = sent.length;
	await exchange.submit({ kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] });
	const settling = sent.slice(from);
	expect(settling.length).toBeGreaterThan(PLAYERS.length);
	expect(settling.filter((name) => !before.has(name))).toEqual([]);
	await expectSound(database.db);
});

it('a connection that replaces a broken one has executed them, too', async () => {
	const { database, exchange, sent } = await opened();
	for (let at = 0; at < BETS / 2; at++) await exchange.submit(bet(at));
	await database.db.query(END_WRITING);
	for (let at = BETS / 2; at < BETS; at++) await exchange.submit(bet(at));
	const before = new Set(sent);
	const from = sent.length;
	await exchange.submit({ kind: 'settle-market', marketId: MARKET, results: ['LOSE', 'WIN'] });
	expect(sent.slice(from).filter((name) => !before.has(name))).toEqual([]);
	await expectSound(database.db);
});
