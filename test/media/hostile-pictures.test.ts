/** Files made to harm what decodes them, while players bet and log in. */
import { beforeAll, expect, it } from 'vitest';
import { hostilePictures } from '../support/hostile-pictures.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';

let server: TestServer;
let match: TestMatch;
let players: (Player & { userName: string })[];
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
	players = [await signUp(server), await signUp(server)];
});

/** Rupees: the player has the money for a bet beside each picture. */
const STAKE = 10;

/** A bet and a log-in of one of the players; nulls when both succeeded. */
const betAndLogIn = async () => {
	const [{ token = '', userName = '' } = {}] = players;
	const [bet, login] = await Promise.all([
		server.call('placeBetV2', betOn(match, { stake: STAKE }), token),
		server.call('authenticate', { userNameOrEmailAddress: userName, password: PASSWORD }),
	]);
	return [bet.code, login.code];
};
const store = (bytes: Buffer, by = 0) =>
	server.call('storeImage', { image: bytes.toString('base64') }, players[by]?.token ?? '');

it('each is refused by name or stripped to its pixels, while bets and log-ins are answered', async () => {
	const pictures = await hostilePictures();
	const answers: [string, string | null][] = [];
	const meanwhile: (string | null)[] = [];
	const refs: string[] = [];
	for (const [at, { name, bytes }] of pictures.entries()) {
		const [{ code, body }, codes] = await Promise.all([store(bytes, at % players.length), betAndLogIn()]);
		answers.push([name, code]);
		meanwhile.push(...codes);
		if (body.result) refs.push(body.result.imageRef);
	}
	expect(answers).toEqual(pictures.map(({ name, code }) => [name, code]));
	expect(new Set(meanwhile)).toEqual(new Set([null]));
	for (const [at, imageRef] of refs.entries()) {
		const { image } = await server.result('getImage', { imageRef }, players[at % players.length]?.token);
		const bytes = Buffer.from(image, 'base64');
		expect(bytes.length).toBeLessThan(1_000);
		expect(bytes.includes('script')).toBe(false);
	}
});

it('bets and log-ins are answered while more pictures are held than the server has threads', {
	tags: 'thorough',
}, async () => {
	const { media } = server.running.funds;
	const [{ bytes } = { bytes: Buffer.alloc(0) }] = await hostilePictures();
	await store(bytes);
	const { cleaning } = media.pids;
	process.kill(cleaning ?? 0, 'SIGSTOP');
	const others = await Promise.all(Array.from({ length: 8 }, () => signUp(server)));
	let answered = 0;
	const held = others.map(async ({ token }) => {
		const { code } = await server.call('storeImage', { image: bytes.toString('base64') }, token);
		answered += 1;
		return code;
	});
	expect(await betAndLogIn()).toEqual([null, null]);
	expect(answered).toBe(0);
	process.kill(cleaning ?? 0, 'SIGCONT');
	expect(new Set(await Promise.all(held))).toEqual(new Set([null]));
});
