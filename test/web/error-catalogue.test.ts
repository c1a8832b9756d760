/** The error catalogue of the product specification, section 8, row by row: the site's client against a server that says anything. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CALLS, type CallName } from '#contract/registry.ts';
import { call } from '#web/api/client.ts';
import type { CallFailure } from '#web/api/failure.ts';
import { inFlightCount } from '#web/api/in-flight.ts';
import { clearStored, readStored, writeStored } from '#web/api/storage.ts';
import { setLogoutNavigation } from '#web/store/session.ts';

let server: Server;
let answer: (response: ServerResponse) => void;
let departures = 0;

beforeAll(async () => {
	server = createServer((request, response) => {
		request.resume();
		answer(response);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	setLogoutNavigation(() => {
		departures += 1;
	});
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

beforeEach(() => {
	departures = 0;
	const { port } = server.address() as AddressInfo;
	writeStored('baseUrl', `http://127.0.0.1:${port}`);
	for (const key of ['accessToken', 'refresh_token', 'expire_in'] as const) writeStored(key, 'something');
	writeStored('userinfo', '{}');
});
afterEach(clearStored);

/** The server answers so from now on; an object travels as JSON. */
function answers(status: number, body: unknown, statusText?: string): void {
	answer = (response) => {
		response.writeHead(status, ...(statusText === undefined ? [] : [statusText]));
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	};
}

async function failure(name: CallName = 'getUserOpenBets', signal?: AbortSignal): Promise<CallFailure> {
	try {
		await call(name, {} as never, { signal });
	} catch (thrown) {
		return thrown as CallFailure;
	}
	throw new Error('The call was not rejected.');
}

const stored = () =>
	(['accessToken', 'refresh_token', 'expire_in', 'userinfo'] as const).filter((key) => readStored(key) !== null);

describe('success', () => {
	it('is only what says so', async () => {
		answers(200, { success: true, result: [] });
		expect(await call('treeSportWithEvent', {})).toEqual([]);
	});

	it.each([[{ success: false, result: [] }], [{ result: [] }], [{ success: 'true', result: [] }], ['no JSON at all']])(
		'%j is none',
		async (body) => {
			answers(200, body);
			expect((await failure()).status).toBe(200);
		},
	);
});

describe('401', () => {
	it('in the status clears the login and leaves for the logout', async () => {
		answers(401, { success: false, error: { code: 'LOGIN_EXPIRED', message: 'Ended.' } });
		expect((await failure()).message).toBe('Ended.');
		expect([departures, stored()]).toEqual([1, []]);
	});

	it('in the body does the same', async () => {
		answers(200, { success: false, status: 401 });
		await failure();
		expect([departures, stored()]).toEqual([1, []]);
	});

	it('of Account/Authenticate does not: it is a wrong password', async () => {
		answers(401, { success: false, error: { code: 'WRONG_CREDENTIALS', message: 'Wrong.' } });
		expect((await failure('authenticate')).message).toBe('Wrong.');
		expect([departures, stored().length]).toEqual([0, 4]);
	});

	it('about a token that was replaced meanwhile says nothing about the new one', async () => {
		answer = (response) => {
			writeStored('accessToken', 'a newer one');
			response.writeHead(401).end('{}');
		};
		await failure();
		expect(departures).toBe(0);
	});
});

describe('500', () => {
	it.each([
		['the error, when there is one', { error: { message: 'Ours.' } }, '', 'Ours.'],
		['the body’s message', { message: 'From the body.' }, 'Status', 'From the body.'],
		['the body as text', 'Plain words.', 'Status', 'Plain words.'],
		['the status text', '', 'Out of Order', 'Out of Order'],
		['a page of a proxy is no message', '<html>x</html>', 'Bad Day', 'Bad Day'],
	])('says %s', async (_, body, statusText, message) => {
		answers(500, body, statusText);
		expect((await failure()).message).toBe(message);
	});

	it('otherwise says Internal Server Error', async () => {
		answers(500, '', '');
		expect((await failure()).message).toBe('Internal Server Error');
	});
});

describe('other failures', () => {
	it('say the error’s message', async () => {
		answers(422, { success: false, error: { code: 'WRONG_CODE', message: 'No.' }, result: 'not this' });
		expect(await failure()).toMatchObject({ code: 'WRONG_CODE', message: 'No.', status: 422 });
	});

	it.each([['Words.'], [{ message: 'Words.' }]])('without one say the message of the result: %j', async (result) => {
		answers(400, { success: false, result });
		expect((await failure()).message).toBe('Words.');
	});

	it('that say nothing name the status', async () => {
		answers(404, '<html></html>');
		expect((await failure()).message).toBe('Request failed with status code 404');
	});

	it('carry each invalid field with its message, and the pause before a retry', async () => {
		const validationErrors = [{ member: 'otp', message: 'Please Enter Otp code' }];
		answer = (response) => {
			response.writeHead(429, { 'Retry-After': '7' });
			response.end(JSON.stringify({ success: false, error: { code: 'X', message: 'M', validationErrors } }));
		};
		expect(await failure()).toMatchObject({ validationErrors, retryAfterSeconds: 7 });
	});

	it('of the sport tree are the server’s words too', async () => {
		answers(503, { success: false, error: { code: 'STARTING', message: 'Starting.' } });
		expect((await failure('treeSportWithEvent')).message).toBe('Starting.');
	});
});

describe('no answer', () => {
	it('is a matter of the network', async () => {
		answer = (response) => response.destroy();
		expect(await failure()).toMatchObject({
			code: 'NETWORK',
			message: 'Please Check Your Network Connection...',
			status: 0,
		});
	});

	it('whose caller has gone counts as aborted', async () => {
		const page = new AbortController();
		answer = () => page.abort();
		expect(await failure('getUserOpenBets', page.signal)).toMatchObject({
			code: 'ABORTED',
			message: 'Request aborted',
		});
	});

	it('within its time is a timeout', async () => {
		answer = () => undefined;
		expect(await failure('getUserOpenBets', AbortSignal.timeout(50))).toMatchObject({
			code: 'TIMEOUT',
			message: 'timeout exceeded',
		});
	});
});

describe('the loading indicator', () => {
	/** Section 7: the excluded calls, as far as the contract has them. */
	const EXCLUDED = [
		'Account/Authenticate',
		'Account/LoginAsDemoUser',
		'Odds/getuserodds',
		'Odds/GetUserOddsV2',
		'Event/TreeSportWithEvent',
		'Bet/GetUserExpectedProfitLoss',
		'Bet/GetUserOpenBets',
		'Bet/PlaceBetV2',
		'Odds/GetUserLimits',
		'api/services/app/Sport/GetScoreCard',
		'api/services/app/Sport/GetVideoLink',
		'api/services/app/Sport/GetTvStream',
		'api/services/app/Sport/GetScoreSession',
		'api/services/app/Sport/GetSportsFeed',
	];
	/** Section 7: calls that show it. */
	const SHOWN = [
		'Account/Register',
		'Account/VerificationUser',
		'Account/ResendVerificationCode',
		'Account/changePassword',
		'Account/RefreshToken',
		'Account/GetAccessTokenValidateTime',
		'Account/GetUserLoginAttempts',
		'Transaction/GetDetail',
		'api/setting/GetSettingExpiry',
		'UserStake/Add',
		'event/GetBySportName',
		'Event/Closest',
		'Market/GetByEventId',
		'Bet/GetUserBetHistory',
		'Transaction/GetHistory',
	];
	const quietPaths = Object.values(CALLS)
		.filter(({ quiet }) => quiet)
		.map(({ path }) => path.toLowerCase());

	it.each(EXCLUDED)('is not shown by %s', (path) => expect(quietPaths).toContain(path.toLowerCase()));
	it.each(SHOWN)('is shown by %s', (path) => expect(quietPaths).not.toContain(path.toLowerCase()));

	it.each([
		['a success', () => answers(200, { success: true, result: [] })],
		['a refusal', () => answers(422, { success: false })],
		[
			'no answer',
			() => {
				answer = (response) => response.destroy();
			},
		],
	])('begins with a request and ends with %s', async (_, prepare) => {
		prepare();
		const asked = call('closest', {}).catch(() => undefined);
		const quiet = call('treeSportWithEvent', {}).catch(() => undefined);
		expect(inFlightCount()).toBe(1);
		await Promise.all([asked, quiet]);
		expect(inFlightCount()).toBe(0);
	});
});
