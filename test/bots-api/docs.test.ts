/** `/docs` and the documents for tools: they name everything, and what they show works. */
import { beforeAll, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { EXAMPLES, STREAM_EXAMPLES } from '#server/doors/bots-api/examples.ts';
import { SERVICES } from '#server/doors/bots-api/rpc-routes.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { type Bot, limit, openBot, result, rpc, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { StreamClient } from './stream-client.ts';

let server: TestServer;
let bot: Bot;
beforeAll(async () => {
	server = await sharedServer();
	bot = await openBot(server);
});

it('shows every call of the site and every operation of bots, and runs no script but its own', async () => {
	const answer = await fetch(`${server.url}/docs`);
	expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
	expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
	const page = await answer.text();
	const names = [...Object.keys(CALLS), ...SERVICES.flatMap(({ operations }) => Object.keys(operations))];
	expect(names.filter((name) => !page.includes(`<details id="${name}">`))).toEqual([]);
	expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/send.js">']);
	const script = await fetch(`${server.url}/docs/send.js`);
	expect(script.headers.get('content-type')).toContain('text/javascript');
});

it('has an example of every operation, and each is answered', async () => {
	const match = await openTestMatch(server);
	const marketId = `1.${match.marketId}`;
	const placed = await result(server, bot, 'placeOrders', { marketId, instructions: [limit(1, 'BACK', 4, 100)] });
	const { betId } = placed.instructionReports[0];
	for (const { name, operations } of SERVICES) {
		expect(Object.keys(EXAMPLES[name]).sort()).toEqual(Object.keys(operations).sort());
		// The example of cancelOrders ends the bet of the next ones, which are answered nevertheless.
		for (const [operation, params] of Object.entries(EXAMPLES[name])) {
			const own = JSON.stringify(params)
				.replaceAll('1.1001', marketId)
				.replaceAll('"betId":"1"', `"betId":"${betId}"`)
				.replaceAll('…', PASSWORD);
			const answer = await rpc(server, bot, operation, JSON.parse(own));
			expect(answer.error, operation).toBeUndefined();
			expect(answer.result.errorCode ?? '', operation).not.toBe('INVALID_MARKET_ID');
		}
	}
});

it('describes in /asyncapi.json what the stream takes and says', async () => {
	const document = (await (await fetch(`${server.url}/asyncapi.json`)).json()) as Wire;
	expect(document.asyncapi).toBe('3.0.0');
	const { hub, stream } = document.channels;
	expect(Object.keys(hub.messages)).toContain('MarketBook');
	const client = await StreamClient.open(server);
	try {
		for (const example of STREAM_EXAMPLES) {
			expect(stream.messages[example.op].examples).toEqual([{ payload: example }]);
			client.say(example.op === 'authentication' ? { ...example, appKey: bot.appKey, session: bot.token } : example);
		}
		await client.line(({ id, op }) => id === 4 && op === 'status');
		await client.line(({ ct, op }) => op === 'ocm' && ct);
		expect(client.lines.filter(({ statusCode }) => statusCode === 'FAILURE')).toEqual([]);
		// Each message that the stream says is described, with all its fields.
		for (const { op, ...fields } of client.lines) {
			const described = Object.keys(stream.messages[op].payload.properties);
			expect(
				Object.keys(fields).filter((field) => !described.includes(field)),
				op,
			).toEqual([]);
		}
	} finally {
		client.close();
	}
});
