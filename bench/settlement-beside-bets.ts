/**
 * `npm run bench -- settlement-beside-bets`: 2,000 bets a second in one market of an exchange in process, alone, while a market
 * of 100,000 matched bets is settled by a walk, and while another one like it is settled by one command. The figures are the ratio of
 * the bets' 99th percentile beside the walk to that of them alone, the longest time between two batches, and the ratio of
 * the walk's time to that of the one command. `-- --bets 1000000` for a large market, `--compare no` without the one command,
 * `--turns 5` for as many markets, each walked right after a stretch of bets alone: the machine's disk is another one from minute to
 * minute. The ratio of all bets beside walks to all bets alone counts. Prints one JSON line.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { pino } from 'pino';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { MOST_A_STEP } from '#server/exchange/order/market-walks.ts';
import { putMainThreadFirst } from '#server/platform/machine/priority.ts';
import { percentile, print, round } from './support/figures.ts';
import { writeLargeMarket } from './support/large-market.ts';
import { recycleWal } from './support/recycled-wal.ts';
import { withCluster, withLedger } from './support/scratch.ts';
import { submitAll } from './support/submit-all.ts';

const { values } = parseArgs({
	options: {
		bets: { type: 'string', default: '100000' },
		turns: { type: 'string', default: '3' },
		compare: { type: 'string', default: 'yes' },
	},
});
const BETS = Number(values.bets);
const TURNS = Number(values.turns);
const isCompared = values.compare === 'yes';
const BETS_OF_A_PLAYER = 50;
const FIRST_WALLET = 1_000_000;
const PLAYERS = Math.max(500, Math.round(BETS / BETS_OF_A_PLAYER));
const PRICES = [198, 204, 310];
const STAKE = 1_000;
const FUNDS = 1_000_000_000;
const BETS_PER_SECOND = 2_000;
const WARM_UP_MS = 3_000;
const ALONE_MS = 10_000;
const [ELSEWHERE, AT_ONE_TIME, FIRST_WALKED] = [1, 2, 3];
const WALKED = Array.from({ length: TURNS }, (_, turn) => FIRST_WALKED + turn);
const MUST = { p99Ratio: 1.3, longestGapMs: 50, timeRatio: 1.5 };
const AIM = { p99Ratio: 1.1, longestGapMs: 20 };

/** When batches became durable. */
let batches: number[] = [];

/** @param betsAStep the largest number settles every market by one command */
const open = (db: pg.Pool, betsAStep: number): Promise<Exchange> =>
	openExchange({
		db,
		log: pino({ level: 'silent' }),
		ledgerKey: 'a key for benchmarks',
		commandRows: true,
		betsAStep,
		onCommitted: () => void batches.push(performance.now()),
	});

function* tables(): Generator<Request> {
	for (const marketId of [ELSEWHERE, AT_ONE_TIME, ...WALKED]) {
		yield {
			kind: 'open-market',
			marketId,
			pools: ['PLAY'],
			runners: 2,
			numberOfWinners: 1,
			commissionBp: 200,
			minStake: 1,
			maxStake: FUNDS,
			profitRatioRule: false,
			selfMatch: 'ALLOW',
			suspended: false,
		};
	}
	for (let walletId = FIRST_WALLET; walletId < FIRST_WALLET + PLAYERS; walletId++) {
		yield { kind: 'open-wallet', walletId, pool: 'PLAY' };
		yield { kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS };
	}
}

/** Two bets that meet, of two players. */
function pair(marketId: number, at: number): [Request, Request] {
	const price = PRICES[at % PRICES.length] as number;
	const of = (player: number, side: 0 | 1): Request => {
		const walletId = FIRST_WALLET + (player % PLAYERS);
		return { kind: 'place-bet', walletId, marketId, runner: 0, side, price, stake: STAKE, persist: false };
	};
	return [of(at, 0), of(at * 7 + 3, 1)];
}

let placed = 0;
const nextBet = (): Request => pair(ELSEWHERE, placed >> 1)[placed++ % 2] as Request;

interface Load {
	/** Of each bet, milliseconds. */
	took: number[];
	longestGapMs: number;
	tookMs: number;
	/** Of a core, by this process. */
	cpuShare: number;
}

/** Bets at their rate until the work is done; each is timed from when it was due. */
async function bettingDuring(exchange: Exchange, work: () => Promise<unknown>): Promise<Load> {
	batches = [];
	const took: number[] = [];
	const place = async (dueAtMs: number): Promise<void> => {
		await exchange.submit(nextBet());
		took.push(performance.now() - dueAtMs);
	};
	const from = performance.now();
	const cpuFrom = process.cpuUsage();
	const end = { isReached: false };
	const working = work().finally(() => {
		end.isReached = true;
	});
	const begun: Promise<void>[] = [];
	while (!end.isReached) {
		const due = Math.floor(((performance.now() - from) * BETS_PER_SECOND) / 1000) + 1;
		while (begun.length < due) begun.push(place(from + (begun.length * 1000) / BETS_PER_SECOND));
		await delay(1);
	}
	await working;
	const tookMs = Math.round(performance.now() - from);
	const { user, system } = process.cpuUsage(cpuFrom);
	await Promise.all(begun);
	const gaps = batches.slice(1).map((at, index) => at - (batches[index] as number));
	return {
		took,
		longestGapMs: Math.round(Math.max(...gaps)),
		tookMs,
		cpuShare: round((user + system) / 1000 / tookMs, 2),
	};
}

/** Bets come at their rate before anything is measured. */
async function withExchange<Result>(
	db: pg.Pool,
	betsAStep: number,
	work: (exchange: Exchange) => Promise<Result>,
): Promise<Result> {
	const exchange = await open(db, betsAStep);
	await bettingDuring(exchange, () => delay(WARM_UP_MS));
	const result = await work(exchange);
	await exchange.drain();
	return result;
}

const settled = (exchange: Exchange, marketId: number) =>
	exchange.submit({ kind: 'settle-market', marketId, results: ['WIN', 'LOSE'] });

const large = (db: pg.Pool, marketId: number) =>
	writeLargeMarket(db, {
		marketId,
		bets: BETS,
		firstWallet: FIRST_WALLET,
		wallets: PLAYERS,
		stake: STAKE,
		prices: PRICES,
	});

// As in the server's process.
putMainThreadFirst();
await withCluster(async (cluster) => {
	await withLedger(cluster, 'settlement', async (db) => {
		const fixture = await open(db, Number.POSITIVE_INFINITY);
		await submitAll(fixture, tables());
		await fixture.drain();
		for (const marketId of WALKED) await large(db, marketId);
		if (isCompared) await large(db, AT_ONE_TIME);
		await db.query('vacuum analyze');
		await recycleWal(cluster.url('postgres'));
		const turns: Record<'alone' | 'beside', Load>[] = [];
		for (const marketId of WALKED) {
			const turn = await withExchange(db, MOST_A_STEP, async (exchange) => ({
				alone: await bettingDuring(exchange, () => delay(ALONE_MS)),
				beside: await bettingDuring(exchange, () => settled(exchange, marketId)),
			}));
			console.error(JSON.stringify({ alone: told(turn.alone), beside: told(turn.beside) }));
			turns.push(turn);
		}
		const atOnce = isCompared
			? await withExchange(db, Number.POSITIVE_INFINITY, (exchange) =>
					bettingDuring(exchange, () => settled(exchange, AT_ONE_TIME)),
				)
			: null;
		const p99Of = (when: 'alone' | 'beside') =>
			percentile(
				turns.flatMap((turn) => turn[when].took),
				0.99,
			);
		const walkMs = percentile(
			turns.map(({ beside }) => beside.tookMs),
			0.5,
		);
		print({
			bets: BETS,
			residentMb: Math.round(process.resourceUsage().maxRSS / 1024),
			turns: turns.map(({ alone, beside }) => ({ alone: told(alone), beside: told(beside) })),
			atOnce: atOnce && told(atOnce),
			p99Ratio: round(p99Of('beside') / p99Of('alone'), 2),
			longestGapMs: Math.max(...turns.map(({ beside }) => beside.longestGapMs)),
			timeRatio: atOnce && round(walkMs / atOnce.tookMs, 2),
			must: MUST,
			aim: AIM,
		});
	});
});

function told({ took, ...load }: Load) {
	return { p50ms: round(percentile(took, 0.5), 1), p99ms: round(percentile(took, 0.99), 1), ...load };
}
