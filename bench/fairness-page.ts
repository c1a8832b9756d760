/**
 * `npm run bench -- fairness-page`: the fairness page over a million rounds, for a visitor with an empty cache on the built site. The
 * rounds are in the tables, and `counted` says how long the server took to count them; visitors wait for none of that. `answer`
 * is `Casino/GetFairness` read from the tables, `held` the same for the next visitor, `shown` from the request for the page
 * until the figures of the game are painted, `plotted` until their plot is, which comes after them. Medians in ms. Prints one JSON line.
 */
import type pg from 'pg';
import { chromium, type Page } from 'playwright-core';
import { CALLS } from '#contract/registry.ts';
import { GAMES } from '#games/all-games.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';
import { DESKTOP, PHONE } from './support/simulated-site.ts';

const ROUNDS = 1_000_000;
const LOADS = 7;
/** Longer than an answer is held. */
const REST_MS = 2_500;
const MUST = { shownMs: 1_000 };
const GAME = 'dragon-tiger';

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir);
	// The server's own cluster is running; this only finds it.
	const cluster = await startEmbeddedPostgres({ dataDir, isGuest: true });
	const db = connect(cluster.url('backlay'), { max: 1 });
	const url = `http://localhost:${server.port}`;
	const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });
	try {
		const countedMs = await countedAfter(db);
		const [answers, held]: [number[], number[]] = [[], []];
		const asked = async () => {
			const from = performance.now();
			await (await fetch(`${url}/${CALLS.getFairness.path}`)).text();
			return performance.now() - from;
		};
		for (let load = 0; load < LOADS; load++) {
			await new Promise((resolve) => setTimeout(resolve, REST_MS));
			answers.push(await asked());
			held.push(await asked());
		}
		const shown = async (width: typeof DESKTOP | typeof PHONE) => {
			const [figures, plots]: [number[], number[]] = [[], []];
			for (let load = 0; load < LOADS; load++) {
				const context = await browser.newContext({ ...width, baseURL: url, serviceWorkers: 'block' });
				const page = await context.newPage();
				await page.goto('/fairness-figures');
				const ofGame = `section[aria-labelledby="figures-${GAME}"]`;
				figures.push(await paintedAfter(page, `${ofGame} .return-plot`));
				plots.push(await paintedAfter(page, `${ofGame} .uplot canvas`));
				await context.close();
			}
			return { shownMs: round(percentile(figures, 0.5), 0), plottedMs: round(percentile(plots, 0.5), 0) };
		};
		const [desktop, phone] = [await shown(DESKTOP), await shown(PHONE)];
		print({
			rounds: ROUNDS,
			games: GAMES.length,
			countedMs: round(countedMs, 0),
			answerMs: round(percentile(answers, 0.5), 1),
			heldMs: round(percentile(held, 0.5), 1),
			desktop,
			phone,
			ratio: round(Math.max(desktop.shownMs, phone.shownMs) / MUST.shownMs, 2),
			must: MUST,
		});
	} finally {
		await browser.close();
		await db.end();
		await server.stop();
	}
});

/** Milliseconds from the request for the page until that is there and painted. */
async function paintedAfter(page: Page, selector: string): Promise<number> {
	await page.locator(selector).waitFor();
	return await page.evaluate(
		() =>
			new Promise<number>((painted) => {
				requestAnimationFrame(() => requestAnimationFrame(() => painted(performance.now())));
			}),
	);
}

/** Ends a million rounds. @returns milliseconds until the server has counted them */
async function countedAfter(db: pg.Pool): Promise<number> {
	await db.query(
		`insert into table_round (game, round, chain, position, phase, opened_at, hash, result, is_logged)
		select $1, n, 1, n, 'ENDED', 0, md5(n::text) || md5(n::text),
			jsonb_build_object('dragon', (n * 7919) % 52, 'tiger', (n * 104729 + 13) % 51), true
		from generate_series(1, $2::bigint) as n`,
		[GAME, ROUNDS],
	);
	await db.query('analyze table_round');
	const from = performance.now();
	for (;;) {
		const { rows } = await db.query<{ after: number }>('select after from round_tally where source = $1', [GAME]);
		if (Number(rows[0]?.after) >= ROUNDS) return performance.now() - from;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
