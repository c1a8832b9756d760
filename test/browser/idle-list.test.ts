/**
 * A list that is only looked at: its rows follow the fixtures by the hub's word, and the server is asked for nothing.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { scoreCard } from '../support/score-card.ts';
import { Scene } from './scene.ts';

const CHANGES = 60;
/** Of a visitor and minute. */
const MOST_BYTES = 15_000;

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const cardOf = (fixtureId: number, version: number) => ({
	...scoreCard(String(fixtureId)),
	version,
	innings: [{ team: 'India', runs: version, wickets: 2, overs: '9.0', target: null }],
});

/** The tree and the lists of fixtures. */
const LISTS = /\/event\/(TreeSportWithEvent|GetBySportName|Closest)/i;

/** Which lists the page asks for and what the hub sends it, from now on. */
async function watchTraffic(page: Page) {
	const traffic = { calls: [] as string[], bytes: 0 };
	const devtools = await page.context().newCDPSession(page);
	await devtools.send('Network.enable');
	devtools.on('Network.webSocketFrameReceived', ({ response }) => {
		traffic.bytes += response.payloadData.length;
	});
	page.on('request', (request) => {
		if (LISTS.test(request.url())) traffic.calls.push(request.url());
	});
	return traffic;
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('60 changes of fixtures cost no call and little of the line, and all are shown', async () => {
		const matches = [];
		for (let count = 0; count < 8; count++)
			matches.push(await scene.match({ title: `${width} ${count} v Nepal`, status: 'IN_PLAY' }));
		const page = await scene.visitor(width);
		await page.goto('/matchlist/3');
		await page.locator('.price:enabled').first().waitFor();
		await page.waitForLoadState('networkidle');
		const { fixtures } = scene.server.running;
		const traffic = await watchTraffic(page);
		const last = matches[7]?.market.fixture.id ?? 0;
		for (let change = 1; change < CHANGES; change++) {
			const { market } = matches[change % matches.length] as (typeof matches)[number];
			const { id } = market.fixture;
			await fixtures.setScore(id, cardOf(id, change), `IND ${change}/2 (9.0)`);
		}
		await fixtures.setStatus(last, 'FINISHED');
		await page
			.locator('.match-row', { hasText: width })
			.getByText(`IND ${CHANGES - 4}/2`)
			.waitFor();
		const row = page.locator('.match-row', { hasText: `${width} 7` });
		await row.waitFor({ state: 'detached' });
		await scene.match({ title: `${width} new v Nepal` });
		await page.locator(`.match-row:has-text("${width} new") .price:enabled`).first().waitFor();
		expect(traffic.calls).toEqual([]);
		expect(traffic.bytes).toBeLessThan(MOST_BYTES);
	});
});
