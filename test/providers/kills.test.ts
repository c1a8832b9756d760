/**
 * kill -9 of the provider, of the server and of its PostgreSQL by turns, at random instants of rounds in each dialect: each
 * round ends, each bet is settled once, and the books of provider and server agree.
 * @module-tag thorough
 */
import { expect, it, onTestFinished } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { SeatView } from '#studio/studio.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { byForm, isLongForm } from '../games/form.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { StudioProcess } from './studio-process.ts';
import { PROVIDERS, type ProviderId, SPOKEN } from './studio-site.ts';

type Record = ResultOf<Calls['getRounds']>['items'][number];

const OPTIONS = ['--no-feeds', '--log-level', 'error'];
const START = 20_000;
const VICTIMS = ['provider', 'server', 'database'] as const;
/** The short form leaves the database alone: how players survive its death is in ledger/kill.test.ts. */
const KILLS = byForm(2, 60);
/** Answers between two kills; the kill comes within a tenth of a second after the last of them. */
const ANSWERS_UNTIL_KILL = 9;
const LONGEST_WAIT_MS = 100;
const ENDED = new Set(['ENDED', 'REFUSED', 'REFUNDED']);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Scene {
	server: ServerProcess;
	studio: StudioProcess;
	numbers: SeededNumbers;
}

interface Gambler {
	token: string;
	userId: string;
	casinoToken: string;
	provider: ProviderId;
}

/** What the studio answers the page of a game; throws when it is away, or does not know the outcome. */
async function atStudio<Answer>(
	{ studio }: Scene,
	{ provider }: Gambler,
	call: string,
	fields: object,
): Promise<Answer> {
	const response = await fetch(`${studio.url}/${provider}/api/${call}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(fields),
		signal: AbortSignal.timeout(20_000),
	});
	if (!response.ok) throw new Error(`${call}: ${await response.text()}`);
	return (await response.json()) as Answer;
}

async function sit(scene: Scene, gambler: Gambler): Promise<SeatView> {
	const { game } = SPOKEN[gambler.provider];
	const door = gambler.provider === 'copper' ? 'casinoToken' : 'casinoLogin';
	const { token } = await scene.server.call(door, { casinoToken: gambler.casinoToken, gameCode: game }, gambler.token);
	return await atStudio<SeatView>(scene, gambler, 'sit', { game, token });
}

/** One act at the game: a bet when no round is open, otherwise one of the round's actions. */
async function actAt(scene: Scene, gambler: Gambler, { seat, round }: SeatView): Promise<SeatView['round']> {
	const actions = round?.state === 'OPEN' ? round.actions : [];
	const action = actions[scene.numbers.below(Math.max(1, actions.length))];
	const asked =
		round && action
			? atStudio<{ round: SeatView['round'] }>(scene, gambler, 'act', { seat, round: round.id, action: action.action })
			: atStudio<{ round: SeatView['round'] }>(scene, gambler, 'bet', { seat, stake: 1_000 });
	return (await asked).round;
}

/** Plays until it is stopped, and sits down again whenever something was killed. */
async function gamble(scene: Scene, gambler: Gambler, load: { stopped: boolean; answered: () => void }): Promise<void> {
	while (!load.stopped) {
		try {
			const seat = await sit(scene, gambler);
			while (!load.stopped) {
				seat.round = await actAt(scene, gambler, seat);
				load.answered();
			}
		} catch {
			await pause(20);
		}
	}
}

async function kill({ server, studio }: Scene, victim: (typeof VICTIMS)[number]): Promise<void> {
	if (victim === 'database') return await server.killDatabase();
	if (victim === 'server') {
		await server.kill();
		return await server.start(OPTIONS);
	}
	await studio.kill();
	await studio.start(server.url);
}

/** Ends the round that the player has open, if there is one. */
async function finish(scene: Scene, gambler: Gambler): Promise<void> {
	const seat = await sit(scene, gambler);
	while (seat.round?.state === 'OPEN') seat.round = await actAt(scene, gambler, seat);
}

async function recordsOf({ server }: Scene, { token }: Gambler): Promise<Record[]> {
	const records: Record[] = [];
	for (;;) {
		const paging = { maxResultCount: '200', skipCount: String(records.length) };
		const { items, totalCount } = await server.call('getRounds', paging, token);
		records.push(...items);
		if (records.length >= totalCount) return records;
	}
}

/** The player's rounds in both books, and the balance that they come to. */
async function check(scene: Scene, gambler: Gambler): Promise<void> {
	const rounds = (await scene.studio.rounds()).filter(({ userId }) => userId === gambler.userId);
	expect(rounds.filter(({ state }) => !ENDED.has(state))).toEqual([]);
	const records = await recordsOf(scene, gambler);
	const played = rounds.filter(({ state }) => state === 'ENDED');
	const settled = records.filter(({ state }) => state === 'SETTLED');
	const byName = (one: readonly [string, ...number[]], other: readonly [string, ...number[]]) =>
		one[0] < other[0] ? -1 : 1;
	expect(settled.map(({ result, stake, payout }) => [result, stake, payout] as const).sort(byName)).toEqual(
		played.map(({ id, stake, payout }) => [`Round ${id}`, stake / 100, payout / 100] as const).sort(byName),
	);
	// What is left was given back, and nothing of it is open.
	expect(records.filter(({ state }) => state !== 'SETTLED' && state !== 'VOID')).toEqual([]);
	const won = played.reduce((sum, { stake, payout }) => sum + payout - stake, 0) / 100;
	const { balance } = await scene.server.call('getUserOpenBets', {}, gambler.token);
	expect(balance).toBeCloseTo(START + won, 6);
}

async function checkAll(scene: Scene, gamblers: readonly Gambler[]): Promise<void> {
	for (const gambler of gamblers) {
		await expect.poll(() => finish(scene, gambler).then(() => true, String), { timeout: 30_000 }).toBe(true);
		await expect.poll(() => check(scene, gambler).then(() => true, String), { timeout: 30_000 }).toBe(true);
	}
	expect(await scene.server.failedAuditChecks()).toEqual([]);
}

it('each round ends once and both books agree, kills of provider, server and database by turns', {
	timeout: byForm(240_000, 1_800_000),
}, async () => {
	const studio = await StudioProcess.create();
	onTestFinished(() => studio.dispose());
	const providers = studio.providers.map((provider) => ({ ...provider, keys: Object.fromEntries(provider.keys) }));
	process.env['GAME_PROVIDERS'] = JSON.stringify(providers);
	onTestFinished(() => void delete process.env['GAME_PROVIDERS']);
	const server = await ServerProcess.create({ embedded: isLongForm });
	onTestFinished(() => server.dispose());
	await server.start(OPTIONS);
	await studio.start(server.url);
	const scene = { server, studio, numbers: new SeededNumbers(Date.now() % 1_000_000) };
	const gamblers: Gambler[] = [];
	for (const provider of [...PROVIDERS, ...PROVIDERS]) {
		const { accessToken, casinoToken, user } = await server.call('loginAsDemoUser', {});
		gamblers.push({ token: accessToken, userId: String(user.userId), casinoToken, provider });
	}
	for (let count = 0; count < KILLS; count++) {
		const reached = Promise.withResolvers<void>();
		let answers = 0;
		const load = { stopped: false, answered: () => void (++answers === ANSWERS_UNTIL_KILL && reached.resolve()) };
		const players = gamblers.map((gambler) => gamble(scene, gambler, load));
		await reached.promise;
		await pause(scene.numbers.below(LONGEST_WAIT_MS));
		await kill(scene, VICTIMS[count % VICTIMS.length] ?? 'server');
		load.stopped = true;
		await Promise.all(players);
		if (isLongForm) await checkAll(scene, gamblers);
	}
	await checkAll(scene, gamblers);
});
