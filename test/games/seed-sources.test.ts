/** Where the secrets come from that decide games: chance of the machine, and no clock. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { LocalBeacon } from '#server/money/casino/beacon/local-beacon.ts';
import { PlayerSeeds } from '#server/money/casino/player-seeds.ts';
import { HashChain } from '#server/money/casino/tables/hash-chain.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { whyGuessable } from '#server/platform/keys/token-key.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { OPEN_ACCESS } from '../support/open-access.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
	// All of it happens at one instant.
	vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T10:00:00Z') });
});
afterAll(async () => {
	vi.useRealTimers();
	await database.drop();
});

function keyOfFirstStart(): string {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-key-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const key = keptTokenKey(folder);
	expect(keptTokenKey(folder)).toBe(key);
	expect(statSync(join(folder, 'token.key')).mode & 0o077).toBe(0);
	return key;
}

it('the key of a first start is made of chance, is read by nobody else, and decides every server seed', async () => {
	const keys = Array.from({ length: 20 }, keyOfFirstStart);
	expect(new Set(keys).size).toBe(keys.length);
	expect(keys.map(whyGuessable)).toEqual(keys.map(() => null));
	expect(Math.min(...keys.map((key) => Buffer.from(key, 'base64url').length))).toBe(32);
	const { db } = database;
	const announced = async (tokenKey: string, walletId: number): Promise<string> =>
		(await new PlayerSeeds({ db, tokenKey, access: OPEN_ACCESS }).pairs(walletId)).next.commitment;
	const [one = '', other = ''] = keys;
	const first = await announced(one, 5_001);
	expect(await announced(one, 5_001)).toBe(first);
	const others = [await announced(one, 5_002), await announced(other, 5_003), await announced(other, 5_001)];
	expect(new Set([first, ...others]).size).toBe(4);
});

it('chains that are made at one instant have nothing in common', async () => {
	const made = async (game: string): Promise<string> => {
		const parts = { db: database.db, keys: new DataKeys([game]), access: OPEN_ACCESS, game, owner: randomUUID() };
		const about = { returnPercent: 97, number: 1, firstRound: 1, replaced: null, lateBefore: 0 };
		return (await HashChain.begin({ ...parts, ...about, beacon: new LocalBeacon('a key', 100) })).facts.commitment;
	};
	const commitments = await Promise.all(['one', 'two', 'three'].map(made));
	expect(new Set(commitments).size).toBe(3);
});
