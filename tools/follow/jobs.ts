/** Jobs that can be followed: each prepares its preconditions, and names the work to follow. */
import { globalAgent } from 'node:http';
import type { HubCode } from '#contract/hub-messages.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { HubClient } from '../../test/hub/hub-client.ts';
import { ConsoleClient } from '../../test/operator/console-client.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../../test/support/match.ts';
import { AGENT } from '../../test/support/plain-request.ts';
import { type Player, type TestServer, TOKEN_KEY } from '../../test/support/server.ts';
import { signUp } from '../../test/support/sign-up.ts';

const PASSWORD = 'Correct-horse-9';
/** In rupees: see the outcomes of the simulated provider. */
const UNPAID = 500.02;

/**
 * Prepares a job on a server without feeds. @returns the job, which ends when its player has received its message on
 * the hub
 */
type Job = (server: TestServer) => Promise<() => Promise<void>>;

interface Listening {
	player: Player;
	channels?: string[];
	/** Messages of the hub besides the changed balance. */
	heard?: HubCode[];
}

/** The work of a player with a connection to the hub, which ends with its message on the hub. */
async function heardOf(
	server: TestServer,
	{ player, channels = [], heard = [] }: Listening,
	work: () => Promise<unknown>,
): Promise<() => Promise<void>> {
	const hub = await HubClient.connect(server.url, player.token);
	if (channels.length > 0) await hub.subscribe(...channels);
	const [before] = server.money(player);
	return async () => {
		// Connections opened before do not belong to this job.
		for (const agent of [AGENT, globalAgent]) agent.destroy();
		hub.received.length = 0;
		await work();
		await Promise.all(heard.map((code) => hub.message(code)));
		await hub.message('UserBalance', ({ Balance }) => Balance !== before);
		await hub.stop();
	};
}

/** A match with a resting lay of another player. */
async function offeredMatch(server: TestServer): Promise<TestMatch> {
	const match = await openTestMatch(server);
	const { token } = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { side: 'LAY' }), token);
	return match;
}

/** A bet that is matched immediately. */
const bet: Job = async (server) => {
	const match = await offeredMatch(server);
	const player = await server.demoPlayer();
	const place = () => server.result('placeBetV2', betOn(match), player.token);
	const heard: HubCode[] = ['BetUpdate', 'MarketBook'];
	return await heardOf(server, { player, channels: [`market:${match.marketId}`], heard }, place);
};

/** An order, and the provider's word that it is paid. The simulated provider would never send it for this amount. */
const deposit: Job = async (server) => {
	const player = await signUp(server);
	return await heardOf(server, { player }, async () => {
		const asked = { amount: UNPAID, clientRequestId: freshRequestId() };
		const { orderId } = await server.result('generatePayment', asked, player.token);
		const reference = referenceOf('BLP', Number(orderId));
		const { rows } = await server.database.db.query<{ providerId: string }>(
			'select provider_id as "providerId" from simulated_payment where reference = $1',
			[reference],
		);
		const word = {
			reference,
			...rows[0],
			status: 'SUCCESS',
			amount: UNPAID * 100,
			utr: '500000000001',
		};
		const body = JSON.stringify({ eventId: 'followed', word });
		const { id, secret } = simulatorKey(TOKEN_KEY);
		const timestamp = String(Date.now());
		const headers = {
			'Content-Type': 'application/json',
			'x-payment-key-id': id,
			'x-payment-timestamp': timestamp,
			'x-payment-signature': signatureOf(secret, timestamp, Buffer.from(body)),
		};
		const { status } = await server.send('/api/Payment/Webhook', { method: 'POST', body, headers });
		if (status !== 200) throw new Error(`the webhook was answered ${status}`);
	});
};

/** A single-player round of the house. */
const round: Job = async (server) => {
	const player = await server.demoGambler();
	const asked = { game: 'coin-flip', bets: [{ bet: 'heads', stake: 100 }], clientRequestId: freshRequestId() };
	return await heardOf(server, { player }, () => server.result('playRound', asked, player.token));
};

/** A result that one member of the staff has proposed and another one confirms. */
const settlement: Job = async (server) => {
	const match = await offeredMatch(server);
	const { marketId } = match;
	const player = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match), player.token);
	const [maker, checker] = [await member(server, 'maker'), await member(server, 'checker')];
	await maker.result('suspend', { marketId });
	const proposed = { act: 'settle', input: { marketId, winners: ['India'] }, reason: 'the umpire said so' };
	const { proposalId } = await maker.result<{ proposalId: string }>('propose', proposed);
	return await heardOf(server, { player }, () => checker.result('confirm', { proposalId }));
};

async function member(server: TestServer, name: string): Promise<ConsoleClient> {
	const passwordHash = await hashPassword(PASSWORD);
	const by = { actor: 'follow', address: null };
	await server.running.staff.directory.add({ name, passwordHash, roles: ['owner'], brands: null }, by);
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

export const JOBS = { bet, deposit, round, settlement };
