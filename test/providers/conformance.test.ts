/** The conformance suite for wallets: the server passes it in each dialect, and planted faults of another wallet are named. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HOUSE_CAPS } from '#server/money/casino/providers/provider.ts';
import { CASES, tryWallet } from '#studio/conformance/cases.ts';
import { TriedWallet } from '#studio/conformance/tried-wallet.ts';
import { type DialectName, STUDIO_DIALECTS } from '#studio/provider-account.ts';
import { expectSound } from '../support/audit.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { FaultyWallet, type PlantedFault } from './faulty-wallet.ts';
import { PROVIDERS, SPOKEN, StudioSite } from './studio-site.ts';

const STAKE = 1_000;
const MAIN_DIALECT: DialectName = 'backlay';

describe('the server', () => {
	let site: StudioSite;
	beforeAll(async () => {
		site = await StudioSite.open();
	});
	afterAll(async () => {
		await expectSound(site.server.database.db);
		await site.close();
	});

	describe.each(PROVIDERS.map((id) => [SPOKEN[id].dialect, id] as const))('in the dialect %s', (dialect, id) => {
		// What the wallet does is one code for all of them; dialects.test.ts shows what differs.
		it.concurrent('conforms', { tags: dialect === MAIN_DIALECT ? [] : ['thorough'] }, async () => {
			const { game } = SPOKEN[id];
			const launchToken = await site.launch(await site.server.demoPlayer(), game);
			const verdicts = await tryWallet(new TriedWallet({ account: site.account(id), game, launchToken, stake: STAKE }));
			expect(verdicts.filter(({ fault }) => fault !== null)).toEqual([]);
			expect(verdicts.length).toBeGreaterThan(CASES.length - 6);
		});
	});
});

/** The wallet with a fault planted, opened for the suite. */
async function faulty(fault: PlantedFault | null, dialect: DialectName = 'backlay') {
	const { secret, key } = STUDIO_DIALECTS[dialect].freshKey();
	const keys = new Map([['test', key]]);
	const provider = {
		id: 'tried',
		name: 'Tried',
		dialect,
		url: 'http://localhost',
		door: 'login',
		keys,
		reportKey: null,
		caps: HOUSE_CAPS,
	} as const;
	const wallet = new FaultyWallet(provider, fault);
	onTestFinished(() => wallet.http.close());
	const walletUrl = `${await wallet.http.listen({ port: 0, host: '127.0.0.1' })}/wallet/tried`;
	return { id: 'tried', name: 'Tried', walletUrl, dialect, keyId: 'test', secret };
}

/** The names of the cases that fail. */
async function faultsOf(fault: PlantedFault | null, dialect?: DialectName): Promise<string[]> {
	const account = await faulty(fault, dialect);
	const tried = new TriedWallet({ account, game: 'game', launchToken: 'launch', stake: STAKE });
	return (await tryWallet(tried)).filter((verdict) => verdict.fault !== null).map(({ name }) => name);
}

describe('another wallet', () => {
	it('without a fault conforms', async () => {
		expect(await faultsOf(null)).toEqual([]);
	});

	it.each(['rsa', 'rgs', 'form', 'actions'] as const)(
		'without a fault conforms in the dialect %s',
		{ tags: 'thorough' },
		async (dialect) => {
			expect(await faultsOf(null, dialect)).toEqual([]);
		},
	);

	/** What costs money first: a stake taken twice, a win without a bet, a stake given back beside its win. */
	const main: ReadonlySet<PlantedFault> = new Set([
		'a repeated bet debits again',
		'a win needs no bet',
		'a bet that won is given back',
	]);

	mainlyEach<[PlantedFault, string[]]>(
		[
			[
				'a repeated bet debits again',
				[
					'bet: the same request again is answered as before, also after other bets, and takes nothing',
					'bet: ten times at once takes the stake once',
					'bet: a known id with another amount is refused',
				],
			],
			[
				'a repeated request is answered with the balance of now',
				['bet: the same request again is answered as before, also after other bets, and takes nothing'],
			],
			[
				'a known id may be used for something else',
				['bet: a known id with another amount is refused', 'win: a known id with another amount is refused'],
			],
			['a win needs no bet', ['win: without its bet is refused']],
			['a bet wins as often as it is asked', ['win: a second one on a round that is over is refused']],
			['the rollback of an unknown bet is forgotten', ['rollback: a bet that never came is refused when it comes']],
			['a bet that was given back can win', ['win: after the rollback of its bet is refused']],
			[
				'a bet that won is given back',
				[
					'win: nothing ends the round',
					'rollback: a bet that won is not given back',
					'rollback: at once with a win, one of the two happens',
				],
			],
			['the balance may go below zero', ['bet: more than the balance is refused']],
			['any currency is taken', ['bet: another currency is refused']],
			['sessions are not looked at', ['bet: an unknown session is refused']],
			[
				'the clock is not looked at',
				[
					'signature: a bet with a clock that is six minutes behind is refused',
					'signature: a bet with a clock that is six minutes ahead is refused',
				],
			],
			['wins are not asked for their currency', ['win: in another currency is refused']],
			['wins are not asked for their player', ['win: in the name of another player is refused']],
		],
		([fault]) => main.has(fault),
	)('is found out: %s', async (fault, names) => {
		expect(await faultsOf(fault)).toEqual(names);
	});
});

it('a wallet that takes a body at any call gives a bet back by it, where the hash names no call', async () => {
	const names = await faultsOf('a body is taken by any call', 'form');
	expect(names).toContain('signature: a bet that was taken gives nothing back at the address of rollbacks');
});

describe('npm run wallet-test', () => {
	const TOOL = join(import.meta.dirname, '..', '..', 'tools', 'wallet-test.ts');
	/** Runs the command against a wallet. @returns its exit code and what it printed */
	async function run(fault: PlantedFault | null, token = 'launch') {
		const { walletUrl, secret } = await faulty(fault);
		const told = [TOOL, walletUrl, '--game', 'game', '--token', token];
		const env = { ...process.env, WALLET_KEY: secret };
		return await promisify(execFile)(process.execPath, told, { env }).then(
			({ stdout }) => ({ code: 0, printed: stdout }),
			({ code, stdout, stderr }) => ({ code: code as number, printed: `${stdout}${stderr}` }),
		);
	}

	it('ends with 0 when everything holds, with 1 and the fault when something does not, and with 2 without a session', {
		tags: 'thorough',
	}, async () => {
		const [sound, unsound, closed] = await Promise.all([run(null), run('a win needs no bet'), run(null, 'unknown')]);
		expect(sound).toMatchObject({ code: 0, printed: expect.stringMatching(/(\d+) of \1 hold/) });
		expect(unsound).toMatchObject({
			code: 1,
			printed: expect.stringContaining('FAIL  win: without its bet is refused'),
		});
		expect(closed).toMatchObject({ code: 2, printed: expect.stringContaining('INVALID_TOKEN') });
	});
});
