/** The proof that a player's money is among what the house owes, as the player's browser checks it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { WalletOwner } from '#public-log/wallet-proof.ts';
import { DAY_MS } from '#values/time.ts';
import { dayName, dayOf, dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import { checkWallet } from '#web/features/proof/check-wallet.ts';
import { checkedLines } from '../../tools/fair.ts';
import { overHttp } from '../public-log/log-reader.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { runTool } from '../support/run-tool.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
let players: Player[];
const day = dayOf(Date.now(), HOME_ZONE);

beforeAll(async () => {
	server = await TestServer.start();
	players = [await server.playPlayer(), await server.playPlayer(), await signUp(server), await server.demoPlayer()];
	const [backer, layer] = players as [Player, Player];
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 123.45 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 60 }), layer.token);
});
afterAll(() => server.dispose());

/** As the player knows it. */
async function ownerOf({ userId, token }: Player): Promise<WalletOwner> {
	const { userName, pool } = await server.result('getUserInfo', {}, token);
	return { brand: 'localhost', pool, player: userId, name: userName };
}

const proven = async (player: Player, owner?: WalletOwner) =>
	await checkWallet(
		await server.result('getWalletProof', {}, player.token),
		owner ?? (await ownerOf(player)),
		overHttp(`${server.url}/public-log`),
	);

it('getWalletProof: refusal before the first tree, and until its root is in the log', async () => {
	const code = async () => (await server.call('getWalletProof', {}, players[0]?.token)).code;
	expect(await code()).toBe('NO_WALLET_PROOF');
	await server.running.sumTrees.makeDue(dayStart(day + 1, HOME_ZONE) + DAY_MS / 2);
	await server.running.publicLog.append();
	expect(await code()).toBeNull();
	const late = await server.playPlayer();
	expect((await server.call('getWalletProof', {}, late.token)).code).toBe('NO_WALLET_PROOF');
});

it('getWalletProof: success, every player’s browser finds the own money under the root in the signed log', async () => {
	for (const player of players) {
		const { checked } = await proven(player);
		expect(checked).toMatchObject({ isOwn: true, isUnderRoot: true, isLogged: true, tree: { day: dayName(day) } });
		const [cash, held] = server.money(player).map((rupees) => Math.round(rupees * 100));
		expect(checked.money).toEqual({ cash, held, bonus: 0 });
	}
	const [one, other] = players as [Player, Player];
	expect((await proven(one, await ownerOf(other))).checked.isOwn).toBe(false);
});

it('a proof tells a stranger no balance and no name beside the owner’s', async () => {
	const answer = await server.result('getWalletProof', {}, players[0]?.token);
	const known = await Promise.all(players.slice(1).map(async (player) => (await ownerOf(player)).name));
	for (const name of known) expect(JSON.stringify(answer)).not.toContain(name);
	const balances = new Set(players.map((player) => Math.round(server.money(player)[0] * 100)));
	// Above the neighbours, chance may put all shares of one of a few wallets together.
	const sums = answer.leaves.map(({ path }) => Number(Buffer.from(path[0] ?? '', 'base64').readBigUInt64BE(32)));
	expect(sums.filter((sum) => balances.has(sum))).toEqual([]);
});

it('getWalletProof: not logged in', async () => {
	expect((await server.call('getWalletProof', {})).status).toBe(401);
});

it('a saved proof is checked by `npm run fair -- verify-wallet` without the server', async () => {
	const { saved } = await proven(players[0] as Player);
	const folder = await mkdtemp(join(scratchFolder(), 'wallet-proof-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const verify = async (line: object) => {
		const file = join(folder, 'proof.json');
		await writeFile(file, JSON.stringify(line));
		return await runTool('tools/fair.ts', ['verify-wallet', '--key', saved.key, '--file', file], process.env);
	};
	const right = await verify(saved);
	expect(right.code).toBe(0);
	expect(JSON.parse(right.stdout)).toMatchObject({ isOwn: true, isUnderRoot: true, isLogged: true });
	const [leaf, ...others] = saved.proof.leaves;
	const richer = { ...leaf, text: leaf?.text.replace('"bonus":0', '"bonus":1') };
	const changed = { ...saved, proof: { ...saved.proof, leaves: [richer, ...others] } };
	const [wrong] = checkedLines('verify-wallet', [JSON.stringify(changed)], saved.key);
	expect(wrong).toMatchObject({ isFaulty: true, line: { isOwn: true, isUnderRoot: false, isLogged: true } });
});
