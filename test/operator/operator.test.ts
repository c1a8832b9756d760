/**
 * What operators do from the command line. One test runs the tool in a process, as operators do; the others call what
 * that process calls, because eighty processes cost more than all acts.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '#server/operators/command-line.ts';
import { ServerProcess } from '../browser/server-process.ts';

let server: ServerProcess;
beforeAll(async () => {
	server = await ServerProcess.create();
	await server.start(['--log-level', 'error']);
	await operator('create-player', 'meera', '--password', PASSWORD);
	await operator('add-money', 'meera', '2500.50');
});
afterAll(() => server.dispose());

/** One act; answers the lines it printed as JSON, or throws its sentence. */
async function operatorLines<T>(...args: string[]): Promise<T[]> {
	const lines: string[] = [];
	const errors: string[] = [];
	const output = { log: (line: string) => lines.push(line), error: (line: string) => errors.push(line) };
	const code = await run(['--url', server.url, ...args], { DATA_DIR: server.dataDir }, output);
	if (code !== 0) throw new Error([...errors, ...lines].join('\n'));
	return lines.map((line) => JSON.parse(line) as T);
}
const operator = async <T>(...args: string[]): Promise<T> => (await operatorLines<T>(...args))[0] as T;

const PASSWORD = 'a long enough Passw0rd!';

async function logIn(userName: string): Promise<{ accessToken: string; user: { balance: number } }> {
	const response = await fetch(`${server.url}/Account/Authenticate`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ userNameOrEmailAddress: userName, password: PASSWORD }),
	});
	return ((await response.json()) as { result: { accessToken: string; user: { balance: number } } }).result;
}

describe('players', () => {
	it('are created, given play money, and log in, by the tool in a process of its own', async () => {
		const tool = (...words: string[]) => server.run('src/server/operators/command-line.ts', words);
		expect(await tool('create-player', 'tara', '--password', PASSWORD)).toMatchObject({ code: 0, stderr: '' });
		const given = await tool('add-money', 'tara', '2500.50');
		expect([given.code, JSON.parse(given.stdout)]).toEqual([0, expect.any(Object)]);
		const refused = await tool('add-money', 'nobody', '10');
		expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringMatching(/^UNKNOWN_USER: /)]);
		expect((await logIn('tara')).user.balance).toBe(2500.5);
	});

	it('have limits of their own, which their limits call shows', async () => {
		expect(await operator('player-limits', 'meera', '--max-stake', '150.50')).toMatchObject({ maxStake: 150.5 });
		const { accessToken } = await logIn('meera');
		const { marketId } = await operator<{ marketId: string }>('markets');
		const response = await fetch(`${server.url}/Odds/GetUserLimits?marketId=${marketId}`, {
			headers: { Authorization: `Bearer ${accessToken}` },
		});
		expect(await response.json()).toMatchObject({ result: { maxStake: 150.5, availableToBet: 2500.5 } });
		await expect(operator('player-limits', 'meera', '--max-stake=-1')).rejects.toThrow('VALIDATION_FAILED');
		expect(await operator('player-limits', 'meera')).toMatchObject({ maxStake: 0 });
	});

	it('are found by names in any script and with any first sign', async () => {
		for (const name of ['आशा', 'Ольга.1', '名前の人', '-dash-']) {
			await operator('create-player', '--password', PASSWORD, '--', name);
			await operator('add-money', '--', name, '100');
			expect((await logIn(name)).user.balance).toBe(100);
			expect(await operator('player-limits', '--max-stake', '150', '--', name)).toMatchObject({ maxStake: 150 });
			expect(await operator('player-sport', '--', name, 'tennis', 'off')).toMatchObject({ closed: ['tennis'] });
		}
	});

	it('are found by names that can no longer be registered', async () => {
		const name = 'as\u034fha';
		await expect(operator('create-player', name, '--password', PASSWORD)).rejects.toThrow('VALIDATION_FAILED');
		await expect(operator('add-money', name, '100')).rejects.toThrow('UNKNOWN_USER');
	});

	it('are not created twice', async () => {
		await operator('create-player', 'twice', '--password', PASSWORD);
		await expect(operator('create-player', 'TWICE', '--password', PASSWORD)).rejects.toThrow('NAME_TAKEN');
	});

	it('get no money when the player is unknown or the amount is invalid', async () => {
		await expect(operator('add-money', 'nobody', '10')).rejects.toThrow('UNKNOWN_USER');
		// After -- a word that begins with - is no option.
		for (const amount of ['-10', '0', '0.001'])
			await expect(operator('add-money', 'meera', '--', amount), amount).rejects.toThrow('VALIDATION_FAILED');
	});
});

describe('messages and clients', () => {
	it('are listed and created', async () => {
		const client = await operator<{ clientId: string; clientSecret: string }>(
			'create-client',
			'Partner',
			'https://partner.example/return',
		);
		expect(client.clientSecret.length).toBeGreaterThan(40);
		expect(await operatorLines('outbox')).toEqual(expect.any(Array));
		await expect(operator('create-client', 'Partner', 'not an address')).rejects.toThrow('VALIDATION_FAILED');
	});
});

interface Listed {
	marketId: string;
	market: string;
	status: string;
	inPlay: boolean;
	runners: { name: string; status: string }[];
}
/** The last listed fixture of the simulated sports, as soon as there is one: an earlier one could end meanwhile. */
async function market(name: RegExp, fits: (listed: Listed) => boolean): Promise<Listed> {
	let found: Listed | undefined;
	const find = async () => {
		const markets = await operatorLines<Listed>('markets');
		found = markets.findLast((listed) => name.test(listed.market) && fits(listed));
		return found;
	};
	await expect.poll(find, { timeout: 50_000, interval: 500 }).toBeDefined();
	return found as Listed;
}
const isOpen = ({ status, inPlay }: Listed) => status === 'OPEN' && !inPlay;

describe('a market', () => {
	it('is suspended, resumed, and settled, once', async () => {
		const { marketId, runners } = await market(/^Match Odds$/, isOpen);
		expect(await operator('suspend', marketId)).toMatchObject({ status: 'SUSPENDED' });
		expect(await operator('resume', marketId)).toMatchObject({ status: 'OPEN' });
		await expect(operator('settle', marketId, '--winner', 'Nobody')).rejects.toThrow('UNKNOWN_RUNNER');
		const winner = runners[0]?.name ?? '';
		expect(await operator('settle', marketId, '--winner', winner)).toMatchObject({ status: 'SETTLED' });
		await expect(operator('void', marketId)).rejects.toThrow('WRONG_MARKET_STATE');
	});
});

describe('every act on a market', () => {
	it('works: runners of a race are removed, returned, suspended and resumed', async () => {
		const { marketId, runners } = await market(/^Win$/, isOpen);
		const name = runners.find(({ status }) => status === 'ACTIVE')?.name ?? '';
		const statusAfter = async (...act: string[]) =>
			(await operator<Listed>(...act)).runners.find((runner) => runner.name === name)?.status;
		expect(await statusAfter('suspend-runner', marketId, '--runner', name)).toBe('SUSPENDED');
		expect(await statusAfter('resume-runner', marketId, '--runner', name)).toBe('ACTIVE');
		expect(await statusAfter('remove-runner', marketId, '--runner', name, '--reduction', '16.2')).toBe('REMOVED');
		expect(await statusAfter('return-runner', marketId, '--runner', name)).toBe('ACTIVE');
	});

	it('works: a market is held for a ball, turned in-play, closed, has bets voided and is void', async () => {
		const { marketId } = await market(/^Match Odds$/, isOpen);
		expect(await operator('suspend', marketId, '--lapse', '--ball-running')).toMatchObject({ status: 'BALL_RUNNING' });
		expect(await operator('turn-in-play', marketId)).toMatchObject({ inPlay: true });
		expect(await operator('close', marketId)).toMatchObject({ status: 'CLOSED' });
		const early = ['--from', '2020-01-01', '--to', '2020-01-02'];
		await expect(operator('void-bets', marketId, ...early)).rejects.toThrow('ORDER_NOT_ACTIVE');
		expect(await operator('void', marketId)).toMatchObject({ status: 'VOIDED' });
	});

	it('works: each way is settled by winner and placed, and reopened', async () => {
		const { marketId, runners } = await market(/^Each way/, isOpen);
		const [first = '', second = '', third = ''] = runners
			.filter(({ status }) => status === 'ACTIVE')
			.map(({ name }) => name);
		const settled = await operator<Listed>(
			'settle',
			marketId,
			'--winner',
			first,
			'--placed',
			second,
			'--placed',
			third,
		);
		expect(settled.runners.find(({ name }) => name === second)?.status).toBe('PLACED');
		expect(await operator('reopen', marketId)).toMatchObject({ status: 'CLOSED' });
	});

	it('works: lines are settled by a number, and by nothing else', async () => {
		const { marketId } = await market(/^Total points line$/, isOpen);
		await expect(operator('settle', marketId, '--winner', 'Points in the match')).rejects.toThrow('INCOMPLETE_RESULT');
		expect(await operator('settle', marketId, '--value', '80')).toMatchObject({ status: 'SETTLED' });
	});
});

describe('a market that an operator opens', () => {
	interface Opened {
		marketId: string;
		market: string;
		status: string;
		runners: { id: string; name: string }[];
	}
	const upcoming = async (): Promise<string> => {
		const closest = await fetch(`${server.url}/Event/Closest?take=50`);
		const { result } = (await closest.json()) as { result: { id: string; status: string }[] };
		return result.findLast(({ status }) => status === 'UPCOMING')?.id ?? '';
	};
	const open = async (name: string, ...terms: string[]) =>
		operator<Opened>('open-market', await upcoming(), name, ...terms);

	it('is bet on, and settled by the operator', async () => {
		const terms = ['--delay', '5', '--commission', '3', '--min-stake', '20', '--rules', 'Who bats first.'];
		const { marketId, status, runners } = await open(
			'Bats first',
			'--type',
			'OUTRIGHT',
			'--runners',
			'Reds, Blues',
			...terms,
		);
		expect([status, runners.map(({ name }) => name)]).toEqual(['OPEN', ['Reds', 'Blues']]);
		const listed = await fetch(`${server.url}/Market/GetByEventId?eventId=${await upcoming()}`);
		const { result } = (await listed.json()) as { result: { markets: { id: string }[] } };
		expect(result.markets.find(({ id }) => id === marketId)).toMatchObject({
			type: 'OUTRIGHT',
			betDelaySeconds: 5,
			commissionRate: 0.03,
			minStake: 20,
		});
		const { accessToken } = await logIn('meera');
		const bet = {
			marketId,
			runnerId: runners[1]?.id,
			side: 'BACK',
			price: 2,
			stake: 20,
			clientRequestId: 'own-market-bet',
		};
		const placed = await fetch(`${server.url}/Bet/PlaceBetV2`, {
			method: 'POST',
			headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
			body: JSON.stringify(bet),
		});
		expect(await placed.json()).toMatchObject({ result: { status: 'UNMATCHED' } });
		expect(await operator('settle', marketId, '--winner', 'Blues')).toMatchObject({ status: 'SETTLED' });
	});

	it('may be a line market or each way', async () => {
		const lines = await open('Sixes', '--type', 'LINE', '--runners', 'Sixes in the match', '--lines', '5.5:20.5:0.5');
		expect(await operator('settle', lines.marketId, '--value', '12')).toMatchObject({ status: 'SETTLED' });
		const race = await open(
			'Best three',
			'--type',
			'EACH_WAY',
			'--runners',
			'A,B,C,D',
			'--places',
			'2',
			'--divisor',
			'5',
		);
		expect(await operator('settle', race.marketId, '--winner', 'A', '--placed', 'B')).toMatchObject({
			status: 'SETTLED',
		});
	});

	it.each([
		['a type of the house', ['--type', 'BOOKMAKER', '--runners', 'A, B'], 'A type is one of'],
		['one runner', ['--type', 'MATCH_ODDS', '--runners', 'A'], 'two runners or more'],
		['a runner twice', ['--type', 'MATCH_ODDS', '--runners', 'A, a'], 'Two runners have the same name.'],
		['a place for everybody', ['--type', 'PLACE', '--runners', 'A, B', '--places', '2'], 'more runners than places'],
		['each way without a divisor', ['--type', 'EACH_WAY', '--runners', 'A, B, C', '--places', '2'], 'has a divisor'],
		['lines that do not meet', ['--type', 'LINE', '--runners', 'A', '--lines', '5.5:20:1'], 'The interval leads'],
		['a third of a goal', ['--type', 'OVER_UNDER', '--runners', 'A, B', '--handicap', '2.3'], 'in quarters'],
	])('is refused with %s', async (_, terms, sentence) => {
		await expect(open('Another', ...terms)).rejects.toThrow(sentence);
	});

	it('has a unique name, in an event that has not ended', async () => {
		const terms = ['--type', 'OUTRIGHT', '--runners', 'A, B'];
		await open('Named once', ...terms);
		await expect(open('named ONCE', ...terms)).rejects.toThrow('The event has a market of that name.');
		await expect(operator('open-market', '424242', 'Nowhere', ...terms)).rejects.toThrow('UNKNOWN_FIXTURE');
	});

	it('ends with its event when that is abandoned', async () => {
		const eventId = await upcoming();
		const { marketId } = await open('Left open', '--type', 'OUTRIGHT', '--runners', 'A, B');
		const { markets } = await operator<{ markets: Opened[] }>('abandon', eventId);
		expect(markets.find((market) => market.marketId === marketId)?.status).toBe('VOIDED');
	});
});

describe('a stream', () => {
	it('is set for an event and removed', async () => {
		const { eventId } = await operator<{ eventId: string }>('markets');
		const link = async () => {
			const answer = await fetch(`${server.url}/api/services/app/Sport/GetVideoLink?eventId=${eventId}`);
			return ((await answer.json()) as { result: { kind: string; url?: string } }).result;
		};
		const address = 'https://streams.example/match.m3u8';
		expect(await operator('stream', eventId, address)).toMatchObject({ stream: address });
		expect(await link()).toEqual({ kind: 'HLS', url: address });
		await operator('stream', eventId);
		expect((await link()).kind).not.toBe('HLS');
		for (const refused of ['nowhere', 'http://streams.example/match.m3u8', 'ftp://localhost/match']) {
			await expect(operator('stream', eventId, refused)).rejects.toThrow('VALIDATION_FAILED');
		}
		await expect(operator('stream', '424242')).rejects.toThrow('UNKNOWN_FIXTURE');
	});
});

describe('a fixture that is abandoned', () => {
	it('has no open market, and is not continued', async () => {
		const tree = (await (await fetch(`${server.url}/Event/TreeSportWithEvent`)).json()) as {
			result: { name: string; events: { id: string; status: string }[] }[];
		};
		const kabaddi = tree.result.find(({ name }) => name === 'Kabaddi');
		const eventId = kabaddi?.events.find(({ status }) => status === 'IN_PLAY')?.id ?? '';
		const answer = await operator<{ status: string; markets: { market: string; status: string }[] }>(
			'abandon',
			eventId,
		);
		expect(answer.status).toBe('ABANDONED');
		expect(answer.markets.length).toBeGreaterThan(3);
		expect(answer.markets.filter(({ status }) => status !== 'VOIDED' && status !== 'SETTLED')).toEqual([]);
		await expect(operator('abandon', eventId)).rejects.toThrow('WRONG_MARKET_STATE');
		await expect(operator('abandon', '424242')).rejects.toThrow('UNKNOWN_FIXTURE');
	});
});

describe('the operators’ routes', () => {
	it.each([
		['no key', {}],
		['a wrong key', { Authorization: 'Operator guess' }],
	])('refuse %s', async (_, headers) => {
		const response = await fetch(`${server.url}/operator/api/markets`, { method: 'POST', headers });
		expect(response.status).toBe(401);
	});

	it('refuse a player', async () => {
		const { accessToken } = await logIn('meera');
		const headers = { Authorization: `Bearer ${accessToken}` };
		const response = await fetch(`${server.url}/operator/api/markets`, { method: 'POST', headers });
		expect(response.status).toBe(401);
	});
});

describe('a brand', () => {
	it('is listed, shown, set and added', async () => {
		expect(await operator('brand', 'add', 'fresh.localhost')).toEqual({ host: 'fresh.localhost', version: 1 });
		const set = (field: string, value: string) => operator('brand', 'set', 'fresh.localhost', field, value);
		expect(await set('domainTitle', '2024')).toMatchObject({ field: 'domainTitle', value: '2024', version: 2 });
		expect(await set('allowSignUp', 'true')).toMatchObject({ value: true, version: 3 });
		expect(await operator('brand', 'show', 'fresh.localhost')).toMatchObject({
			setting: { domainTitle: '2024', allowSignUp: true },
			history: [{ field: 'allowSignUp' }, { field: 'domainTitle', before: expect.any(String), after: '2024' }],
		});
		expect(await operator('brand', 'list')).toHaveProperty('host');
	});

	it('refuses invalid values and unknown hosts', async () => {
		await expect(operator('brand', 'set', 'localhost', 'theme', 'pink')).rejects.toThrow('The theme is dark or light.');
		await expect(operator('brand', 'show', 'nobody.localhost')).rejects.toThrow('UNKNOWN_DOMAIN');
		await expect(operator('brand', 'set', 'localhost', 'theme')).rejects.toThrow('missing required argument');
	});

	it('closes a sport to one player', async () => {
		await operator('create-player', 'sporty', '--password', PASSWORD);
		expect(await operator('player-sport', 'sporty', 'tennis', 'off')).toMatchObject({ closed: ['tennis'] });
		await expect(operator('player-sport', 'sporty', 'chess', 'off')).rejects.toThrow('The sport is one of');
		await expect(operator('player-sport', 'nobody', 'tennis', 'off')).rejects.toThrow('UNKNOWN_USER');
	});
});
