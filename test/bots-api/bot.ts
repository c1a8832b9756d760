/** A bot: a player who signed up, an app key, and a session, speaking the protocol by plain HTTP. */
import { plainRequest } from '../support/plain-request.ts';
import { TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of a protocol that the tests compare with recorded ones.
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

export interface Bot {
	userId: number;
	userName: string;
	siteToken: string;
	appKey: string;
	keyId: string;
	token: string;
	headers: Record<string, string>;
}

export async function openBot(
	server: TestServer,
	changes: { mayTrade?: boolean; addresses?: string[]; callsPerSecond?: number } = {},
): Promise<Bot> {
	const player = await signUp(server);
	const asked = { name: 'bot', mayTrade: true, addresses: [], callsPerSecond: 100, password: PASSWORD, ...changes };
	const { appKey, key } = await server.result('createApiKey', asked, player.token);
	const token = await logIn(server, player.userName, appKey);
	const headers = { 'X-Application': appKey, 'X-Authentication': token, 'Content-Type': 'application/json' };
	const { userId, userName } = player;
	return { userId, userName, siteToken: player.token, appKey, keyId: key.keyId, token, headers };
}

export async function logIn(server: TestServer, userName: string, appKey: string): Promise<string> {
	const { text } = await plainRequest(`${server.url}/api/login`, {
		method: 'POST',
		headers: { 'X-Application': appKey, 'Content-Type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams({ username: userName, password: PASSWORD }).toString(),
	});
	const answer = JSON.parse(text) as { token: string; error: string };
	if (answer.token === '') throw new Error(`no log-in: ${answer.error}`);
	return answer.token;
}

/** Posts a body as it is. */
export async function post(server: TestServer, bot: Pick<Bot, 'headers'>, path: string, body: string): Promise<Wire> {
	const { text } = await plainRequest(`${server.url}${path}`, { method: 'POST', headers: bot.headers, body });
	return JSON.parse(text);
}

function serviceOf(operation: string): readonly [path: string, prefix: string] {
	if (operation === 'continue') return ['sandbox', 'SandboxAPING'];
	if (operation === 'heartbeat') return ['heartbeat', 'HeartbeatAPING'];
	if (/Details|AvailableEvents|Scores|Incidents/.test(operation) && operation.startsWith('list'))
		return ['scores', 'ScoresAPING'];
	return /^(get|create)|Currency/.test(operation) ? ['account', 'AccountAPING'] : ['betting', 'SportsAPING'];
}

/** A call over JSON-RPC: its result, or its error. */
export async function rpc(
	server: TestServer,
	bot: Pick<Bot, 'headers'>,
	operation: string,
	params: object,
): Promise<Wire> {
	const [service, prefix] = serviceOf(operation);
	const call = { jsonrpc: '2.0', method: `${prefix}/v1.0/${operation}`, params, id: 1 };
	return await post(server, bot, `/exchange/${service}/json-rpc/v1`, JSON.stringify(call));
}

/** The result of a call that must succeed. */
export async function result(
	server: TestServer,
	bot: Pick<Bot, 'headers'>,
	operation: string,
	params: object,
): Promise<Wire> {
	const answer = await rpc(server, bot, operation, params);
	if (answer.error) throw new Error(`${operation}: ${JSON.stringify(answer.error)}`);
	return answer.result;
}

export const limit = (
	selectionId: number,
	side: 'BACK' | 'LAY',
	price: number,
	size: number,
	changes: object = {},
) => ({
	orderType: 'LIMIT',
	selectionId,
	handicap: 0,
	side,
	limitOrder: { size, price, persistenceType: 'LAPSE', ...changes },
});
