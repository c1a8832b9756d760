/** What a collector of traces gets of a running server, what it never gets, and what it cannot do to the server. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CheckedCall } from '#server/calls/checked-call.ts';
import { readCalls, writeCalls } from '#server/doors/gateway/call-messages.ts';
import { closeHttp, plainServer, urlOf } from '#server/doors/http/plain-server.ts';
import { tracedRequests } from '#server/doors/http/traced-request.ts';
import { MOST_WAITING } from '#server/doors/traces/span-queue.ts';
import { Traces } from '#server/doors/traces/traces.ts';
import { passCallsTo, passedCallRoute } from '#server/process/hand-over/pass-calls.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { startGatewayProcess } from '../hub/gateway-process.ts';
import { type NatsServer, startNatsServer } from '../hub/nats-server.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { answered, bearer, type Player, TestServer } from '../support/server.ts';
import { cookiesAfterLogin, PASSWORD, signUp } from '../support/sign-up.ts';

const SILENT = pino({ level: 'silent' });
/** More than any player has. */
const TOO_MUCH = 1_000_000;
const natsProgram = findNatsServer();

const tracesTo = ({ url }: OtlpReceiver, ratio = 1) => ({ url, headers: {}, serviceName: 'backlay', ratio });

/** A bet with a request id of its own; `url` is the server's or a gateway's. */
async function placeBet(url: string, bet: object, { token }: Player, headers: Record<string, string> = {}) {
	const response = await fetch(`${url}/Bet/PlaceBetV2`, {
		method: 'POST',
		body: JSON.stringify(bet),
		headers: { 'Content-Type': 'application/json', ...bearer(token), ...headers },
	});
	const requestId = response.headers.get('X-Request-Id');
	return { requestId, ...(await answered(response)) };
}

/** The spans from the first to the last, each the parent of the next. */
function wayOf(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
	const first = spans.find(({ parentSpanId }) => !spans.some(({ spanId }) => spanId === parentSpanId));
	const way: ReceivedSpan[] = [];
	for (let next = first; next; next = spans.find(({ parentSpanId }) => parentSpanId === way.at(-1)?.spanId))
		way.push(next);
	return way;
}

async function wayOfRequest(receiver: OtlpReceiver, requestId: string | null): Promise<ReceivedSpan[]> {
	const named = await receiver.received(2, ({ attributes }) => attributes['backlay.request_id'] === requestId);
	return wayOf(await receiver.received(3, ({ traceId }) => traceId === named[0]?.traceId));
}

const isWithin = (inner: ReceivedSpan, outer: ReceivedSpan): boolean =>
	inner.beganAt >= outer.beganAt && inner.endedAt <= outer.endedAt;

describe('a traced bet', () => {
	let receiver: OtlpReceiver;
	let nats: NatsServer | null;
	let server: TestServer;
	let player: Player;
	beforeAll(async () => {
		receiver = await OtlpReceiver.start();
		nats = natsProgram === null ? null : await startNatsServer(natsProgram);
		server = await TestServer.start(undefined, {
			traces: tracesTo(receiver),
			natsUrl: nats?.url ?? null,
			nodeId: 'engine',
		});
		player = await server.demoPlayer();
	});
	afterAll(async () => {
		await server.dispose();
		await nats?.stop();
		await receiver.stop();
	});

	it('is one tree from its request to its commit', async () => {
		const match = await openTestMatch(server);
		const { status, requestId } = await placeBet(server.url, betOn(match), player);
		const way = await wayOfRequest(receiver, requestId);
		const call = { 'backlay.call': 'placeBetV2', 'backlay.request_id': requestId };
		expect(way).toMatchObject([
			{
				name: 'POST /Bet/PlaceBetV2',
				parentSpanId: '',
				attributes: { ...call, 'server.address': 'localhost', 'http.response.status_code': status },
			},
			{ name: 'answer placeBetV2', attributes: call },
			{ name: 'commit', attributes: { 'backlay.commands': 1 }, links: [] },
		]);
		expect(new Set(way.map(({ traceId }) => traceId)).size).toBe(1);
		const [front, answer, commit] = way as [ReceivedSpan, ReceivedSpan, ReceivedSpan];
		expect([isWithin(answer, front), isWithin(commit, answer)]).toEqual([true, true]);
		const { rows } = await server.database.db.query<{ batch: string }>(
			'select max(batch) as batch from posting where wallet_id = $1',
			[player.userId],
		);
		expect(commit.attributes['backlay.batch']).toBe(Number(rows[0]?.batch));
	});

	it('has the commit of its batch, linked to the other calls of the batch', async () => {
		const match = await openTestMatch(server);
		const locking = await server.database.db.connect();
		await locking.query('begin; lock table posting in access exclusive mode');
		const placing = [2, 3, 4, 5, 6].map((price) => placeBet(server.url, betOn(match, { price }), player));
		await expect.poll(() => server.running.exchange.figures().backlog).toBe(placing.length);
		locking.release(true);
		const placed = await Promise.all(placing);
		const ways = await Promise.all(placed.map(({ requestId }) => wayOfRequest(receiver, requestId)));
		const batches = Map.groupBy(ways, ([, , commit]) => commit?.attributes['backlay.batch']);
		// While the first batch waits for the table, the next collects.
		expect(batches.size).toBeLessThan(ways.length);
		for (const shared of batches.values()) {
			const calls = shared.map(([, answer]) => answer?.spanId);
			for (const [, answer, commit] of shared) {
				expect(commit?.attributes['backlay.commands']).toBe(shared.length);
				expect([...(commit?.links ?? []), answer?.spanId].sort()).toEqual(calls.sort());
			}
		}
	});

	it('that is refused says why, and has no commit', { tags: 'thorough' }, async () => {
		const match = await openTestMatch(server);
		const requestId = 'of-a-refused-bet';
		const bet = betOn(match, { stake: TOO_MUCH });
		const { status, code } = await placeBet(server.url, bet, player, { 'X-Request-Id': requestId });
		expect(code).not.toBeNull();
		const spans = await receiver.received(2, ({ attributes }) => attributes['backlay.request_id'] === requestId);
		const refused = { 'backlay.refusal': code };
		expect(wayOf(spans)).toMatchObject([
			{ attributes: { ...refused, 'http.response.status_code': status }, isFault: false },
			{ attributes: refused, isFault: false },
		]);
	});

	it('belongs to the trace that its client names, if that is one', { tags: 'thorough' }, async () => {
		const match = await openTestMatch(server);
		const [traceId, spanId] = ['a1'.repeat(16), 'b2'.repeat(8)];
		const named = await placeBet(server.url, betOn(match), player, { traceparent: `00-${traceId}-${spanId}-00` });
		const none = [`00-${'0'.repeat(32)}-${spanId}-01`, `00-${traceId}-01`, 'x'.repeat(10_000)];
		const placed = await Promise.all(
			none.map((traceparent) => placeBet(server.url, betOn(match), player, { traceparent })),
		);
		expect((await wayOfRequest(receiver, named.requestId))[0]).toMatchObject({ traceId, parentSpanId: spanId });
		for (const { requestId } of placed) {
			const [front] = await wayOfRequest(receiver, requestId);
			expect(front?.parentSpanId).toBe('');
			expect(front?.traceId).not.toBe(traceId);
		}
	});

	it.skipIf(natsProgram === null)(
		'through a gateway is one tree over both processes',
		{ tags: 'thorough' },
		async () => {
			const gateway = await startGatewayProcess({
				natsUrl: nats?.url ?? '',
				nodeId: 'east',
				environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER: 'parentbased_always_on' },
			});
			onTestFinished(() => gateway.kill());
			const { requestId } = await placeBet(gateway.url, betOn(await openTestMatch(server)), player);
			// A gateway that stops sends what it has.
			expect(await gateway.stop()).toBe(0);
			const front = receiver.spans.find(({ attributes }) => attributes['backlay.request_id'] === requestId);
			expect(front?.name).toBe('POST /Bet/PlaceBetV2');
			const way = await wayOfRequest(receiver, requestId);
			expect(way.map(({ name, resource }) => [name, resource['service.instance.id']])).toEqual([
				['POST /Bet/PlaceBetV2', 'east'],
				['answer placeBetV2', 'engine'],
				['commit', 'engine'],
			]);
		},
	);
});

const CALL: CheckedCall = {
	name: 'getUserInfo',
	host: 'localhost',
	claim: null,
	input: {},
	address: '127.0.0.1',
	country: null,
	cookies: '',
	requestId: 'from-the-browser',
	receivedMs: 0,
	untilMs: 1_000,
};
const TRACE = `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01`;

describe('a call on its way to another process', () => {
	it('carries its trace, and no byte where it has none', () => {
		const sent = { ...CALL, id: 1 };
		expect(readCalls(writeCalls([{ ...sent, trace: TRACE }, sent])).map(({ trace }) => trace)).toEqual([
			TRACE,
			undefined,
		]);
		const traceBytes = JSON.stringify(TRACE).length + ','.length;
		expect(writeCalls([{ ...sent, trace: TRACE }]).length - writeCalls([sent]).length).toBe(traceBytes);
	});

	it('carries it when it is passed on by a hand-over', async () => {
		const http = plainServer({ trustedProxies: [], log: SILENT, clientTimeoutMs: 10_000, isReady: async () => true });
		onTestFinished(() => closeHttp(http));
		const answer = async ({ trace }: CheckedCall) => ({ json: JSON.stringify(trace ?? null), cookies: [] });
		passedCallRoute(http, { answer, operatorKey: 'key', log: SILENT });
		await http.listen({ port: 0, host: '127.0.0.1' });
		const pass = passCallsTo(urlOf(http), 'key');
		const call = { ...CALL, untilMs: performance.now() + 10_000 };
		expect((await pass({ ...call, trace: TRACE })).json).toBe(JSON.stringify(TRACE));
		expect((await pass(call)).json).toBe('null');
	});
});

describe('the choice of traced calls', () => {
	const opened = async () => {
		const receiver = await OtlpReceiver.start();
		onTestFinished(() => receiver.stop());
		const traces = await Traces.open(tracesTo(receiver, 0.01), { log: SILENT, process: 'exchange', nodeId: '' });
		onTestFinished(() => traces.close());
		return traces;
	};
	/** Ten standard deviations of the number of picked calls. */
	const tolerance = (calls: number) => 10 * Math.sqrt(calls * 0.01 * 0.99);

	it('is one in a hundred', async () => {
		const traces = await opened();
		const calls = 100_000;
		const picked = Array.from({ length: calls }, () => traces.picks()).filter(Boolean).length;
		expect(Math.abs(picked - calls / 100)).toBeLessThan(tolerance(calls));
	});

	it('is not the client’s: neither by the flag of its header nor by the lowest ids, which a sampler of ids picks', {
		tags: 'thorough',
	}, async () => {
		const http = plainServer({ trustedProxies: [], log: SILENT, clientTimeoutMs: 10_000, isReady: async () => true });
		onTestFinished(() => closeHttp(http));
		http.decorateRequest('brand', null);
		const answer = tracedRequests(await opened(), 'getUserInfo', async (_, reply, trace) => reply.send({ trace }));
		http.get('/call', answer);
		await http.listen({ port: 0, host: '127.0.0.1' });
		const calls = 500;
		let picked = 0;
		for (let count = 1; count <= calls; count++) {
			const traceparent = `00-${count.toString(16).padStart(32, '0')}-${'b2'.repeat(8)}-01`;
			const answered = await fetch(`${urlOf(http)}/call`, { headers: { traceparent } });
			if (((await answered.json()) as { trace?: string }).trace) picked += 1;
		}
		expect(picked).toBeLessThan(calls / 100 + tolerance(calls));
	});
});

it('sends no secret, no amount and nobody’s name', async () => {
	const receiver = await OtlpReceiver.start();
	onTestFinished(() => receiver.stop());
	const headers = { 'x-collector-key': 'for the collector alone' };
	const server = await TestServer.start(undefined, { traces: { ...tracesTo(receiver), headers } });
	onTestFinished(() => server.dispose());
	const player = await signUp(server);
	const cookies = await cookiesAfterLogin(server, player.userName);
	const match = await openTestMatch(server);
	const inQuery = await fetch(`${server.url}/Account/GetUserInfo?note=written-in-the-query`, {
		headers: { ...bearer(player.token), cookie: cookies, 'X-Request-Id': PASSWORD, tracestate: 'vendor=of-the-client' },
	});
	expect(inQuery.status).toBeLessThan(500);
	await server.raw('authenticate', { userNameOrEmailAddress: player.userName, password: 'a Wrong-passw0rd' });
	const stake = 1234.5;
	await server.call('placeBetV2', betOn(match, { stake }), player.token);
	await server.stop();
	const sent = Buffer.concat(receiver.messages.map(({ bytes }) => bytes)).toString();
	for (const call of ['register', 'authenticate', 'getUserInfo', 'placeBetV2']) expect(sent).toContain(`"${call}"`);
	const { token, refreshToken, userName, mobile } = player;
	const secrets = [token, refreshToken, userName, mobile, PASSWORD, 'a Wrong-passw0rd', String(stake), '127.0.0.1'];
	const cookieValues = cookies.split('; ').flatMap((cookie) => cookie.split('=')[1] || []);
	const others = ['written-in-the-query', 'of-the-client', 'for the collector alone', betOn(match).clientRequestId];
	expect([...secrets, ...cookieValues, ...others].filter((secret) => sent.includes(secret))).toEqual([]);
	expect(receiver.messages[0]?.headers).toMatchObject(headers);
});

describe('a collector', () => {
	it('that fails, hangs or goes away changes no answer, and holds up no stop', { tags: 'thorough' }, async () => {
		const receiver = await OtlpReceiver.start('fails');
		const server = await TestServer.start(undefined, {
			traces: tracesTo(receiver),
			metrics: { port: 0, host: '127.0.0.1' },
		});
		onTestFinished(() => server.dispose());
		const player = await server.demoPlayer();
		const match = await openTestMatch(server);
		const bet = async () => (await placeBet(server.url, betOn(match, { stake: 100 }), player)).status;
		const dropped = async () => {
			const text = await (await fetch(server.running.metricsUrl ?? '')).text();
			return Number(/^backlay_dropped_spans_total (\d+)$/m.exec(text)?.[1]);
		};
		expect(await bet()).toBe(200);
		// A bet, and the login of its player.
		await expect.poll(dropped).toBeGreaterThanOrEqual(5);
		const port = Number(new URL(receiver.url).port);
		await receiver.stop();
		expect(await bet()).toBe(200);
		const hanging = await OtlpReceiver.start('hangs', port);
		onTestFinished(() => hanging.stop());
		expect(await bet()).toBe(200);
		await hanging.received(1, () => true);
		await server.stop();
	});

	it('that takes nothing makes a bounded number of spans wait; the others are dropped and counted, in few lines', async () => {
		const receiver = await OtlpReceiver.start('hangs');
		onTestFinished(() => receiver.stop());
		const lines: string[] = [];
		let dropped = 0;
		const traces = await Traces.open(tracesTo(receiver), {
			log: pino({}, { write: (line) => void lines.push(line) }),
			process: 'exchange',
			nodeId: '',
			onDropped: (count) => {
				dropped += count;
			},
		});
		const request = { call: 'placeBetV2', method: 'POST', route: '/Bet/PlaceBetV2', traceparent: undefined };
		const end = (count: number): void => {
			for (let ended = 0; ended < count; ended++)
				traces.received({ ...request, beganAtMs: performance.now() }).end(null);
		};
		end(MOST_WAITING);
		expect(dropped).toBe(0);
		end(3_000);
		expect(dropped).toBe(3_000);
		// The 1st, 2nd, 4th and so on.
		expect(lines).toHaveLength(12);
		await traces.close();
		// After five seconds the message on its way would have been given up, which is another line.
		expect(lines.slice(12).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
			'the collector did not take the last spans; they are dropped',
		]);
		expect(dropped).toBe(MOST_WAITING + 3_000);
	});
});
