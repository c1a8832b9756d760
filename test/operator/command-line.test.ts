/** What the words of the operators' command line ask for, and what it says to words that it cannot read. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { run } from '#server/operators/command-line.ts';
import { allCommands } from '#server/operators/commands/command.ts';
import { type Ask, programOf } from '#server/operators/commands/program.ts';

/** A file with that content, until the test ends. */
function fileOf(name: string, content: string): string {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-words-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
}

const SILENT = { log: () => undefined, error: () => undefined };

/** The call that the words ask for. */
async function askOf(...words: string[]): Promise<Ask | undefined> {
	let asked: Ask | undefined;
	const program = programOf(allCommands(), SILENT, async (ask) => {
		asked = ask;
	});
	await program.parseAsync(words, { from: 'user' });
	return asked;
}

/** The exit code and what was printed. */
async function said(...words: string[]): Promise<{ code: number; text: string }> {
	const lines: string[] = [];
	const output = { log: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
	const code = await run(words, { TOKEN_KEY: 'a key' }, output);
	return { code, text: lines.join('\n') };
}

describe('words ask for a call', () => {
	it.each([
		['suspend 7 --lapse --ball-running', 'suspend', { marketId: '7', lapse: true, ballRunning: true }],
		['resume 7', 'resume', { marketId: '7' }],
		['settle 7 --winner A --winner B --places 2', 'settle', { marketId: '7', winners: ['A', 'B'], places: 2 }],
		['settle 7 --value 0', 'settle', { marketId: '7', value: 0 }],
		['void-bets 7 --bet 9 --from 2020-01-01', 'void-bets', { betId: '9', from: '2020-01-01T00:00:00.000Z' }],
		['remove-runner 7 --runner A --reduction 16.2', 'remove-runner', { runner: 'A', reduction: 16.2 }],
		[
			'open-market 7 Sixes --type LINE --runners A,B --lines 5.5:20.5:0.5 --delay 5',
			'open-market',
			{ runners: ['A', 'B'], lines: { min: 5.5, max: 20.5, interval: 0.5 }, delaySeconds: 5 },
		],
		['stream 7', 'stream', { eventId: '7' }],
		['staff add asha --roles owner,trader', 'staff-add', { name: 'asha', roles: ['owner', 'trader'] }],
		['staff link asha anna', 'staff-player-link', { name: 'asha', userName: 'anna' }],
		['brand set royal.localhost theme dark', 'brand-set', { host: 'royal.localhost', field: 'theme', value: 'dark' }],
		['player-sport anna tennis off', 'player-sport', { userName: 'anna', sport: 'tennis', allowed: false }],
		['queue withdrawal', 'payment-queue', { kind: 'WITHDRAWAL' }],
		['approve deposit 5', 'payment-decide', { kind: 'DEPOSIT', id: '5', event: 'approve' }],
		['decide PAYMENT 5 credit --reason x', 'payment-decide', { kind: 'PAYMENT', event: 'credit', reason: 'x' }],
		['dispute 5 open --reason x --amount 20.5', 'payment-decide', { kind: 'PAYMENT', event: 'dispute', amount: 20.5 }],
		['dispute 5 won --reason x', 'payment-decide', { kind: 'DISPUTE', id: '5', event: 'won' }],
		['take-over deposit 5 --reason late', 'payment-take-over', { kind: 'DEPOSIT', reason: 'late' }],
		[
			'adjust --code TEST --reason late -- anna -100',
			'adjust',
			{ userName: 'anna', host: 'localhost', amount: -100, reasonCode: 'TEST' },
		],
		['freeze anna --reason none', 'player-freeze', { userName: 'anna', reason: 'none' }],
		['unfreeze anna --host royal.localhost', 'player-freeze', { host: 'royal.localhost', reason: null }],
		['close-round 5 --reason gone', 'round-close', { id: '5', reason: 'gone' }],
		['day-books play --from 2026-11-01 --to 2026-11-30', 'day-books', { pool: 'PLAY', from: '2026-11-01' }],
		['related 5 6', 'related', { playerId: '5', otherId: '6' }],
		['casino-games --days 7', 'casino-games', { days: 7 }],
		['standby status', 'standby-status', {}],
		['doctor', 'doctor', {}],
		['note-drill --drill restore', 'note-drill', { drill: 'restore' }],
	] as const)('%s', async (words, call, body) => {
		const asked = await askOf(...words.split(' '));
		expect(asked).toMatchObject({ call, body });
		expect(v.safeParse(OPERATOR_CALLS[call].input, asked?.body).issues).toBeUndefined();
	});

	it('with what only the command line knows: passwords, numbers of grants, files', async () => {
		const player = await askOf('create-player', 'anna');
		expect(player?.also).toEqual({ password: player?.body['password'] });
		expect(String(player?.body['password']).length).toBeGreaterThan(10);
		expect((await askOf('create-player', 'anna', '--password', 'Passw0rd-1'))?.also).toEqual({});
		const grants = [await askOf('add-money', 'anna', '5'), await askOf('add-money', 'anna', '5')];
		expect(new Set(grants.map((grant) => grant?.body['grantId'])).size).toBe(2);
		const report = fileOf('report.csv', 'utr,amount\n');
		const draft = fileOf('draft.json', '{"id": "welcome"}');
		const period = ['--from', '2026-11-01', '--to', '2026-11-02'];
		expect((await askOf('reconcile', 'play', report, '--bank', ...period))?.body).toMatchObject({
			pool: 'PLAY',
			report: 'utr,amount\n',
			source: 'BANK',
		});
		expect((await askOf('campaign', 'dry-run', draft))?.body).toEqual({ campaign: { id: 'welcome' } });
	});
});

describe('words that cannot be read are refused in a sentence', () => {
	it.each([
		[['void-bets', '7', '--bet', 'abc'], 'The bet id is a number, and “abc” is none.'],
		[['void', 'x'], 'The market id is a number, and “x” is none.'],
		[['remove-runner', '7', '--runner', 'A', '--reduction', 'half'], 'The reduction is a number'],
		[['add-money', 'anna', '1e5'], 'The amount is a number such as 5000 or 12.50, and “1e5” is none.'],
		[['add-money', 'anna', '0x10'], 'The amount is a number such as 5000 or 12.50, and “0x10” is none.'],
		[['settle', '7'], 'Give one of --winner, --tied, --value, --result.'],
		[['void-bets', '7', '--from', 'yesterday'], 'The from is a time such as'],
		[['player-sport', 'anna', 'tennis', 'maybe'], 'The allowed is on or off'],
		[['freeze', 'anna'], "required option '--reason <reason>' not specified"],
		[['settle'], "missing required argument 'market-id'"],
		[['setle', '7'], 'Did you mean settle?'],
		[['settle', '7', '--winer', 'A'], 'Did you mean --winner?'],
		[['show', 'DEPOSIT'], "missing required argument 'id'"],
		[['campaign', 'draw-up', '/nonexistent.json'], 'The file /nonexistent.json cannot be read: '],
		[['markets', '--url', 'http://127.0.0.1:1'], 'No server answers at http://127.0.0.1:1.'],
	])('%j', async (words, sentence) => {
		const { code, text } = await said(...words);
		expect([code, text]).toEqual([1, expect.stringContaining(sentence)]);
		expect(text).not.toMatch(/INTERNAL|^\s+at /m);
	});

	it('a file that is no JSON is named', async () => {
		const file = fileOf('draft.json', '{');
		expect(await said('campaign', 'dry-run', file)).toEqual({
			code: 1,
			text: expect.stringContaining(`The file ${file} is not JSON: `),
		});
	});
});

it('help says of each command what its call does, and of each option what it takes', async () => {
	const { code, text } = await said('--help');
	expect(code).toBe(0);
	for (const { words } of allCommands()) expect(text).toContain(`  ${words[0]}`);
	const settle = await said('settle', '--help');
	expect(settle.text).toContain(OPERATOR_CALLS.settle.summary);
	expect(settle.text).toMatch(/--winner <winners> +a text; again for each one/);
});

describe('a shell completes', () => {
	/** What bash offers for the last of the words. */
	async function offered(...words: string[]): Promise<string[]> {
		const { text } = await said('completion', 'bash');
		const typed = ['operator', ...words].map((word) => `'${word}'`).join(' ');
		const script = `${text}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _operator; printf '%s\\n' "\${COMPREPLY[@]}"`;
		return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n');
	}

	it.each([
		[['sett'], ['settle']],
		[['staff', 'un'], ['unlink']],
		[
			['settle', '7', '--pl'],
			['--placed', '--places'],
		],
		[
			['settle', '7', '--winner', 'A', '--result', 'HALF'],
			['HALF_LOSE', 'HALF_WIN'],
		],
		[
			['--as', 'asha', 'player-sport', 'anna', 'tennis', 'o'],
			['off', 'on'],
		],
		[
			['completion', ''],
			['bash', 'zsh'],
		],
	])('%j', async (words, expected) => {
		expect(await offered(...words)).toEqual(expected);
	});

	it('in zsh by the same table, and in no other shell', async () => {
		const { text } = await said('completion', 'zsh');
		expect(text).toContain('compdef _operator operator');
		expect((await said('completion', 'fish')).code).toBe(1);
	});
});
