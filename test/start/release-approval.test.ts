/** A release starts with the signatures of two approvers where they are asked for, and each start is recorded. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Config } from '#server/process/config.ts';
import type { HealthCheck } from '#server/process/health/check.ts';
import { openRelease } from '#server/process/health/own-release.ts';
import {
	ApproversSetting,
	publicPart,
	RELEASE_FILE,
	releaseIn,
	type SignedRelease,
	signedBy,
} from '#server/process/health/release-approval.ts';
import { startGateway } from '#server/process/start-gateway.ts';
import { startStandby } from '#server/process/start-standby.ts';
import { freshDatabase } from '../support/database.ts';
import { runTool } from '../support/run-tool.ts';
import { TestServer, testConfig } from '../support/server.ts';

const VERSION = /^1\.2\.3\+[0-9a-f]{12}$/;
const NAMES = ['anita', 'ravi', 'mei'] as const;
type Name = (typeof NAMES)[number];
const KEYS = Object.fromEntries(NAMES.map((name) => [name, generateKeyPairSync('ed25519').privateKey]));
const RELEASE_KEYS = Object.entries(KEYS)
	.map(([name, key]) => `${name}:${publicPart(key)}`)
	.join(',');

function folder(): string {
	const made = mkdtempSync(join(tmpdir(), 'backlay-release-'));
	onTestFinished(() => rmSync(made, { recursive: true, force: true }));
	return made;
}

/** A release of a few files. */
class Site {
	readonly root = folder();

	constructor() {
		for (const part of ['src', 'db/migrations']) mkdirSync(join(this.root, part), { recursive: true });
		writeFileSync(join(this.root, 'package.json'), JSON.stringify({ version: '1.2.3' }));
		writeFileSync(join(this.root, 'src/main.ts'), 'start();\n');
		writeFileSync(join(this.root, 'db/migrations/0001-first.sql'), 'select 1;\n');
	}

	static async signedBy(...names: Name[]): Promise<Site> {
		const site = new Site();
		let signed: SignedRelease = { ...(await releaseIn(site.root)), signatures: [] };
		for (const name of names) signed = signedBy(signed, name, KEYS[name] as KeyObject, '2026-11-27T10:00:00.000Z');
		if (names.length > 0) site.write(signed);
		return site;
	}

	/** Of a server that runs this release in production. */
	get config() {
		return { production: true, releaseRoot: this.root, approvers: v.parse(ApproversSetting, RELEASE_KEYS) };
	}

	write(signed: object): void {
		writeFileSync(join(this.root, RELEASE_FILE), JSON.stringify(signed));
	}

	/** A change of the file by hand. */
	change(edit: (signed: SignedRelease) => SignedRelease): void {
		this.write(edit(JSON.parse(readFileSync(join(this.root, RELEASE_FILE), 'utf8')) as SignedRelease));
	}

	breakByte(): void {
		appendFileSync(join(this.root, 'src/main.ts'), ' ');
	}
}

const started = async (site: Site) => {
	const release = await openRelease(site.config, pino({ level: 'silent' }));
	return await release?.found();
};

describe('a release', () => {
	it.each<[way: string, names: Name[], spoil: (site: Site) => void | Promise<void>, words: RegExp]>([
		['without the file', [], () => {}, /^The release is not signed: release\.json is missing\./],
		['with one signature', ['anita'], () => {}, /needs the signatures of 2 approvers, .* has that of anita alone/],
		[
			'with two signatures of one approver',
			['anita'],
			(site) =>
				site.change(({ signatures: [first], ...release }) => ({
					...release,
					signatures: first ? [first, { ...first }] : [],
				})),
			/has that of anita alone/,
		],
		[
			'with a signature under the name of another',
			['anita'],
			(site) =>
				site.change(({ signatures, ...release }) => ({
					...release,
					signatures: [...signatures, ...signatures.map((each) => ({ ...each, name: 'ravi' }))],
				})),
			/^The signature of ravi in release\.json is wrong\./,
		],
		[
			'with the signature of a stranger',
			['anita'],
			(site) =>
				site.change(({ signatures, ...release }) => ({
					...release,
					signatures: [...signatures, ...signatures.map((each) => ({ ...each, name: 'stranger' }))],
				})),
			/has that of anita alone/,
		],
		[
			'with a time that was not signed',
			['anita', 'ravi'],
			(site) =>
				site.change(({ signatures, ...release }) => ({
					...release,
					signatures: signatures.map((each) => ({ ...each, signedAt: '2026-01-01T00:00:00.000Z' })),
				})),
			/^The signature of anita in release\.json is wrong\./,
		],
		['with a changed byte', ['anita', 'ravi'], (site) => site.breakByte(), /is of another release/],
		[
			'with a changed byte, for which the file was put right by hand',
			['anita', 'ravi'],
			async (site) => {
				site.breakByte();
				const release = await releaseIn(site.root);
				site.change((signed) => ({ ...signed, ...release }));
			},
			/^The signature of anita in release\.json is wrong\./,
		],
		['with a file of another form', ['anita', 'ravi'], (site) => site.write({}), /^release\.json cannot be read/],
	])('is refused %s', async (_way, names, spoil, words) => {
		const site = await Site.signedBy(...names);
		await spoil(site);
		await expect(started(site)).rejects.toThrow(words);
	});
});

describe('the command', () => {
	const run = (site: Site, ...args: string[]) =>
		runTool('tools/release-sign.ts', ['--folder', site.root, ...args], { ...process.env, RELEASE_KEYS });

	it('signs for one after another, begins anew when a file changes, and checks as a start does', async () => {
		const [site, keys] = [new Site(), folder()];
		const sign = (name: Name) => {
			const file = join(keys, `${name}.pem`);
			writeFileSync(file, (KEYS[name] as KeyObject).export({ format: 'pem', type: 'pkcs8' }));
			return run(site, '--name', name, '--key', file);
		};
		expect((await sign('ravi')).stdout).toMatch(/is signed by ravi\.$/m);
		expect(await run(site, '--check')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('that of ravi alone'),
		});
		expect((await sign('anita')).stdout).toMatch(/is signed by ravi and anita\.$/m);
		expect((await run(site, '--check')).stdout).toMatch(/is signed by anita and ravi\.$/m);
		expect((await started(site))?.signers).toEqual(['anita', 'ravi']);
		site.breakByte();
		expect((await sign('mei')).stdout).toMatch(/is signed by mei\.$/m);
		await expect(started(site)).rejects.toThrow('that of mei alone');
	});

	it('makes a key that RELEASE_KEYS takes and never overwrites one, and signs no other digest than the approved one', async () => {
		const [site, file] = [new Site(), join(folder(), 'key.pem')];
		const { stdout } = await run(site, '--new-key', file, '--name', 'anita');
		expect(v.parse(ApproversSetting, `${stdout.trim()},${RELEASE_KEYS.split(',')[1]}`)).toMatchObject([
			{ name: 'anita' },
			{},
		]);
		const made = readFileSync(file, 'utf8');
		expect((await run(site, '--new-key', file, '--name', 'anita')).code).toBe(1);
		expect(readFileSync(file, 'utf8')).toBe(made);
		expect(await run(site, '--name', 'anita', '--key', file, '--digest', '0'.repeat(64))).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^Nothing was signed/),
		});
		expect(existsSync(join(site.root, RELEASE_FILE))).toBe(false);
	});
});

describe('RELEASE_KEYS', () => {
	const [one, other] = ['A'.repeat(43), 'B'.repeat(43)];
	it('names two approvers or more, each with a key of its own, or none', () => {
		expect(v.parse(ApproversSetting, '')).toEqual([]);
		expect(v.parse(ApproversSetting, `anita:${one},ravi:${other}`)).toEqual([
			{ name: 'anita', key: one },
			{ name: 'ravi', key: other },
		]);
		for (const text of [`anita:${one}`, `anita:${one},ravi:${one}`, `anita:${one},anita:${other}`, 'anita'])
			expect(v.safeParse(ApproversSetting, text).success, text).toBe(false);
	});
});

describe('a server in production', () => {
	async function startOf(changes: Partial<Config>): Promise<TestServer> {
		const server = await TestServer.start(undefined, changes);
		onTestFinished(() => server.dispose());
		return server;
	}

	const releaseRow = async (server: TestServer) =>
		(await server.act<HealthCheck[]>('doctor', {})).find(({ name }) => name === 'release');

	const recorded = async ({ database: { db } }: TestServer): Promise<unknown[]> =>
		(await db.query(`select details from journal where act = 'release-started' order by seq`)).rows.map(
			({ details }) => details as unknown,
		);

	it('does not start with a changed byte or a single signature, and neither do gateway and standby', async () => {
		const database = await freshDatabase();
		onTestFinished(() => database.drop());
		const [changed, single] = [await Site.signedBy('anita', 'ravi'), await Site.signedBy('anita')];
		changed.breakByte();
		await expect(TestServer.start(database, changed.config)).rejects.toThrow('is of another release');
		await expect(TestServer.start(database, single.config)).rejects.toThrow('has that of anita alone');
		const config = testConfig(database.url, {
			...single.config,
			natsUrl: 'nats://127.0.0.1:9',
			standby: { silenceMs: 1_000, goneMs: 250 },
		});
		await expect(startGateway(config)).rejects.toThrow('has that of anita alone');
		await expect(startStandby(config, { onServing: () => {}, onStopped: () => {} })).rejects.toThrow(
			'that of anita alone',
		);
	});

	it('starts with two signatures, and records version, digest and signers of each start', async () => {
		const site = await Site.signedBy('ravi', 'anita');
		const server = await startOf(site.config);
		await expect.poll(() => recorded(server)).toHaveLength(1);
		const [first] = await recorded(server);
		expect(first).toMatchObject({
			version: expect.stringMatching(VERSION),
			digest: expect.stringMatching(/^[0-9a-f]{64}$/),
			signers: ['anita', 'ravi'],
		});
		expect(await releaseRow(server)).toMatchObject({
			state: 'ok',
			words: expect.stringMatching(/signed by anita and ravi\.$/),
		});
		await server.stop();
		const again = await TestServer.start(server.database, site.config);
		onTestFinished(() => again.stop());
		await expect.poll(() => recorded(again)).toEqual([first, { ...(first as object), foundAt: expect.any(String) }]);
	});

	it('starts without RELEASE_KEYS, records it, and the doctor says that the release is not signed', async () => {
		const site = new Site();
		const server = await startOf({ ...site.config, approvers: [] });
		expect(await releaseRow(server)).toMatchObject({
			state: 'warning',
			words: expect.stringMatching(/^Release 1\.2\.3\+[0-9a-f]{12} is not signed/),
			todo: expect.stringContaining('RELEASE_KEYS'),
		});
		await expect.poll(() => recorded(server)).toMatchObject([{ signers: null }]);
	});

	it('finds a file that changes after the start, by the digest that was signed', async () => {
		const site = await Site.signedBy('anita', 'ravi');
		const server = await startOf(site.config);
		site.breakByte();
		const files = (await server.act<HealthCheck[]>('doctor', { comparesFiles: true })).find(
			({ name }) => name === 'files',
		);
		expect(files).toMatchObject({ state: 'failing' });
	});
});
