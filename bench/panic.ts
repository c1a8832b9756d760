/**
 * `npm run bench -- panic`: how fast one press stops the bets of a sport with ten matches and some thirty markets, under 2,000
 * bets a second over all of them. Each round presses through the console and resumes all. The figures are the
 * milliseconds until the answer, which comes when the suspensions are durable, and until the exchange took its last bet,
 * by the bets' own times. A bet that was sent after the answer and accepted is a fault, and ends the bench. Prints one
 * JSON line; `-- --rounds 20` for a shorter run.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { demoTokens } from './support/demo-logins.ts';
import { EventCrowd } from './support/event-crowd.ts';
import { percentile, print, round } from './support/figures.ts';
import { type Ask, openDoors } from './support/operator-doors.ts';
import { withDataDir } from './support/scratch.ts';
import { type BenchMarket, openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
const MATCHES = 10;
const TEMPLATES = ['Match Odds', 'Tied Match', 'To Win the Toss'];
const BETS_PER_SECOND = 2_000;
const OPEN_FOR_MS = 150;
const SUSPENDED_FOR_MS = 50;
/** The load begins before the rounds and outlasts them. */
const WARM_UP_MS = 3_000;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const ROUNDS = Number(values.rounds);
const MUST = { lastBetP99Ms: 20 };

interface Opened {
	marketId: string;
	runners: { id: string }[];
}

await withDataDir(async (dataDir) => {
	const first = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const { port } = server;
		const { asOperator, asMember: trader, close } = await openDoors(port, dataDir, 'trader');
		const markets = [first, ...(await openMatches(asOperator))];
		const tokens = await demoTokens(port, PLAYERS);
		// The server's own cluster is running; this only finds it.
		const db = connect((await startEmbeddedPostgres({ dataDir, isGuest: true })).url('backlay'), { max: 1 });
		print(await measure({ port, db, markets, tokens, trader }));
		await db.end();
		close();
	} finally {
		await server.stop();
	}
});

async function openMatches(asOperator: Ask): Promise<BenchMarket[]> {
	const markets: BenchMarket[] = [];
	for (let number = 1; number <= MATCHES; number++) {
		const about = { competition: 'Bench Cup', firstSide: 'India', secondSide: `Nepal ${number}` };
		const startsAt = new Date(Date.now() + 3_600_000).toISOString();
		const { eventId } = await asOperator<{ eventId: string }>('event-add', { sport: 'cricket', startsAt, ...about });
		for (const template of TEMPLATES) {
			const { marketId, runners } = await asOperator<Opened>('event-open-market', { eventId, template });
			markets.push({ marketId, runnerIds: [runners[0]?.id ?? '', runners[1]?.id ?? ''] });
		}
	}
	return markets;
}

interface Scene {
	port: number;
	db: pg.Pool;
	markets: readonly BenchMarket[];
	tokens: readonly string[];
	trader: Ask;
}

async function measure({ port, db, markets, tokens, trader }: Scene) {
	const crowd = new EventCrowd({ port, markets, tokens, betsPerSecond: BETS_PER_SECOND });
	const answered: number[] = [];
	/** Of each round, by the wall clock. */
	const suspensions: { fromMs: number; toMs: number }[] = [];
	const rounds = async () => {
		await delay(WARM_UP_MS);
		for (let turn = 0; turn < ROUNDS; turn++) {
			await delay(OPEN_FOR_MS);
			const [from, fromMs] = [performance.now(), Date.now()];
			const { pressId } = await trader<{ pressId: string }>('panic', { sport: 'cricket' });
			answered.push(performance.now() - from);
			crowd.phase++;
			await delay(SUSPENDED_FOR_MS);
			suspensions.push({ fromMs, toMs: Date.now() });
			crowd.phase++;
			await trader('resume-all', { pressId });
		}
	};
	let isOver = false;
	await Promise.all([
		rounds().finally(() => {
			isOver = true;
		}),
		crowd.betUntil(() => isOver),
	]);
	const last = await Promise.all(suspensions.map((each) => lastBetMs(db, each)));
	const { accepted, refused } = crowd;
	return {
		markets: markets.length,
		betsPerSecond: BETS_PER_SECOND,
		rounds: ROUNDS,
		accepted,
		refused,
		answeredMs: { p50: round(percentile(answered, 0.5), 1), p99: round(percentile(answered, 0.99), 1) },
		lastBetMs: { p50: percentile(last, 0.5), p99: percentile(last, 0.99) },
		must: MUST,
	};
}

/** Milliseconds from a request to suspend to the last bet that the exchange took. */
async function lastBetMs(db: pg.Pool, { fromMs, toMs }: { fromMs: number; toMs: number }): Promise<number> {
	const { rows } = await db.query<{ at: number | null }>(
		'select max(placed_at) as at from bet where placed_at between $1 and $2',
		[fromMs, toMs],
	);
	return Math.max(0, (rows[0]?.at ?? fromMs) - fromMs);
}
