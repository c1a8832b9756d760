/**
 * Players of the funds bench, as a process of their own: they register, then pay in, withdraw and look at their bonuses. A
 * message says how many acts a second, and for how long; the answer counts statuses.
 */
import { CALLS, type CallName } from '#contract/registry.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { BetConnection } from './bet-client.ts';
import { steadily } from './steadily.ts';

const PLAYERS = 40;
const CONNECTIONS = 16;
const HOST = 'localhost';

const port = Number(process.argv[2]);
const operator = `Operator ${operatorKeyOf(process.env['TOKEN_KEY'] ?? '')}`;

function requestOf(method: string, path: string, authorization: string, input: object): string {
	const body = method === 'GET' ? '' : JSON.stringify(input);
	const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
	return (
		`${method} ${path}${query} HTTP/1.1\r\nHost: ${HOST}:${port}\r\nAuthorization: ${authorization}\r\n` +
		`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
	);
}

const first = await BetConnection.open(port);
async function ask<Result>(request: string): Promise<Result> {
	const { status, body } = await first.send(request);
	if (status !== 200) throw new Error(body);
	return (JSON.parse(body) as { result: Result }).result;
}
const call = (name: CallName, token: string, input: object): string =>
	requestOf(CALLS[name].method, `/${CALLS[name].path}`, token === '' ? 'none' : `Bearer ${token}`, input);

async function register(at: number): Promise<string> {
	const who = { userName: `bench${at}`, mobile: `+9180000${String(at).padStart(5, '0')}` };
	const password = 'a long enough Passw0rd!';
	const form = { ...who, password, confirmPassword: password, referralCode: '' };
	const { autoVerifyCode } = await ask<{ autoVerifyCode: string }>(call('register', '', form));
	return (await ask<{ accessToken: string }>(call('verificationUser', '', { ...who, otp: autoVerifyCode })))
		.accessToken;
}

const rules = { allowSignUp: 'true', skipVerification: 'true', 'funds.withdrawalsPerDay': '100' };
for (const [field, value] of Object.entries(rules))
	await ask(requestOf('POST', '/operator/api/brand-set', operator, { host: HOST, field, value }));
const tokens: string[] = [];
for (let at = 0; at < PLAYERS; at++) tokens.push(await register(at));

let made = 0;
function nextRequest(): string {
	const token = tokens[made % tokens.length] as string;
	const clientRequestId = `bench-funds-${made}`;
	switch (made++ % 4) {
		case 0:
			return call('generatePayment', token, { amount: 100, clientRequestId });
		case 1:
			return call('createWithdrawal', token, {
				amount: 100,
				details: { method: 'UPI', upiId: 'asha@bank' },
				clientRequestId,
			});
		case 2:
			return call('getBonuses', token, {});
		default:
			return call('claimBonus', token, { id: 'welcome' });
	}
}

const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => BetConnection.open(port)));
process.on('disconnect', () => process.exit(0));
process.on('message', async ({ perSecond, forMs }: { perSecond: number; forMs: number }) => {
	const answers: Record<string, number> = {};
	await steadily(perSecond, forMs, async () => {
		const connection = await BetConnection.from(idle, port);
		const { status, body } = await connection.send(nextRequest());
		const name = `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`.trim();
		answers[name] = (answers[name] ?? 0) + 1;
		idle.push(connection);
	});
	process.send?.(answers);
});
process.send?.('open');
