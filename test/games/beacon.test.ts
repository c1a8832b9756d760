/** The values of a beacon: what is signed, when it is out, and what a relay can do. */
import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { beaconRoundFrom, beaconTimeOf, QUICKNET, randomnessOf, resultHash } from '#games/beacon/beacon-chain.ts';
import { isBeaconSignature } from '#games/beacon/beacon-signature.ts';
import { DrandBeacon, quicknetAt } from '#server/money/casino/beacon/drand-beacon.ts';
import { SignatureThread } from '#server/money/casino/beacon/signature-thread.ts';
import { BeaconRelay, type RelayWay } from '../support/beacon-relay.ts';
import { mainlyEach } from '../support/main-rows.ts';

/** Published by drand's quicknet: https://api.drand.sh/52db9ba7…/public/ROUND. */
const PUBLISHED: readonly [round: number, signature: string][] = [
	[1_000, 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'],
	[12_040_883, '929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394'],
	[32_281_667, 'b0f5ae301358ff87a9d3dd539ed4a07c0148b1ab4f7b61a8ca43c7e9ca7ca9553e4faae9188deb30b2cd1a7f447e3e5b'],
];
/** The `randomness` that drand published with the last one. */
const RANDOMNESS = '4fd2fc55983dbfa3f446d8a0bd56f16cc8c5e76afd1ec154b60d477cbabed13b';
/** Of round 1,000 of drand's older chain, whose signatures have this length, too. */
const FOREIGN = 'b09eacd45767c4d58306b98901ad0d6086e2663766f3a4ec71d00cf26f0f49eaf248abc7151c60cf419c4e8b37e80412';

it.each(PUBLISHED)('takes the published value of round %i, and none that is not its own', (round, signature) => {
	const { publicKey } = QUICKNET;
	expect(isBeaconSignature(publicKey, { round, signature })).toBe(true);
	expect(isBeaconSignature(publicKey, { round: round + 1, signature })).toBe(false);
	const flipped = signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
	expect(isBeaconSignature(publicKey, { round, signature: flipped })).toBe(false);
});

it('takes no signature of another beacon, and nothing that is none', () => {
	for (const signature of [FOREIGN, '', 'zz'.repeat(48), 'c0'.padEnd(96, '0'), PUBLISHED[0]?.[1].slice(2) ?? ''])
		expect(isBeaconSignature(QUICKNET.publicKey, { round: 1_000, signature })).toBe(false);
	for (const round of [0, -1, 1.5, Number.NaN])
		expect(isBeaconSignature(QUICKNET.publicKey, { round, signature: PUBLISHED[0]?.[1] ?? '' })).toBe(false);
});

it('knows when a round is out, and which one is the first from a time on', () => {
	// Genesis is 2023-08-23 15:09:27 UTC; round 1,000 comes 999 periods of three seconds later.
	expect(new Date(beaconTimeOf(QUICKNET, 1)).toISOString()).toBe('2023-08-23T15:09:27.000Z');
	expect(new Date(beaconTimeOf(QUICKNET, 1_000)).toISOString()).toBe('2023-08-23T15:59:24.000Z');
	const at = beaconTimeOf(QUICKNET, 1_000);
	expect([at - 1, at, at + 1].map((ms) => beaconRoundFrom(QUICKNET, ms))).toEqual([1_000, 1_000, 1_001]);
	expect(beaconRoundFrom(QUICKNET, 0)).toBe(1);
});

it('mixes the random value that drand publishes into a hash, and leaves a hash without a beacon as it is', () => {
	const signature = PUBLISHED[2]?.[1] ?? '';
	const hash = createHash('sha256').update('a hash').digest('hex');
	expect(randomnessOf(signature)).toBe(RANDOMNESS);
	const mixed = createHmac('sha256', Buffer.from(RANDOMNESS, 'hex')).update(Buffer.from(hash, 'hex')).digest('hex');
	expect(resultHash(hash, signature)).toBe(mixed);
	expect(resultHash(hash, null)).toBe(hash);
});

describe('drand over HTTP', () => {
	let relays: [BeaconRelay, BeaconRelay];
	beforeAll(async () => {
		const published = new Map(PUBLISHED.flatMap(([round, signature]) => [[round, signature] as const]));
		relays = [await BeaconRelay.start(published), await BeaconRelay.start(published)];
	});
	afterAll(() => Promise.all(relays.map((relay) => relay.stop())));

	const warnings: unknown[] = [];
	const newBeacon = () => {
		warnings.length = 0;
		const config = quicknetAt(relays.map(({ url }) => `${url}/`));
		const beacon = new DrandBeacon(config, { warn: (...said: unknown[]) => void warnings.push(said) } as never);
		onTestFinished(() => beacon.stop());
		return beacon;
	};

	mainlyEach<[RelayWay]>([['silent'], ['broken'], ['forged'], ['replaced']], ([way]) => way === 'forged')(
		'takes the value from an honest relay beside a %s one',
		async (way) => {
			relays[0].way = way;
			relays[1].way = 'honest';
			expect(await newBeacon().signatureOf(1_000)).toBe(PUBLISHED[0]?.[1]);
			expect(await newBeacon().signatureOf(1_001)).toBeNull();
		},
	);

	mainlyEach<[RelayWay]>(
		[['silent'], ['broken'], ['forged'], ['replaced']],
		([way]) => way === 'silent' || way === 'forged',
	)('has no value where all relays are %s', async (way) => {
		for (const relay of relays) relay.way = way;
		expect(await newBeacon().signatureOf(1_000)).toBeNull();
		if (way === 'forged') expect(warnings).toHaveLength(2);
	});

	it('goes on where the thread that checks signatures has ended', { tags: 'thorough' }, async () => {
		for (const relay of relays) relay.way = 'forged';
		const beacon = newBeacon();
		expect(await beacon.signatureOf(1_000)).toBeNull();
		await beacon.stop();
		for (const relay of relays) relay.way = 'honest';
		expect(await beacon.signatureOf(1_000)).toBe(PUBLISHED[0]?.[1]);
	});

	it('asks once for all who ask at once, and never again for what it has', async () => {
		for (const relay of relays) {
			relay.way = 'honest';
			relay.asked.length = 0;
		}
		const beacon = newBeacon();
		await Promise.all([1, 2, 3].map(() => beacon.signatureOf(12_040_883)));
		await beacon.signatureOf(12_040_883);
		// The second relay is left alone where the first one was quick.
		const asked = relays.map((relay) => relay.asked);
		expect(new Set(asked.flat())).toEqual(new Set([12_040_883]));
		for (const ofRelay of asked) expect(ofRelay.length).toBeLessThanOrEqual(1);
	});
});

describe('the thread that checks signatures', () => {
	const [round, signature] = PUBLISHED[0] ?? [0, ''];
	const thread = new SignatureThread();
	const isSignature = (of: number) => thread.isSignature(QUICKNET.publicKey, { round: of, signature });
	afterAll(() => thread.stop());

	it('knows nothing of a signature when it ends, and is another one for the next', async () => {
		const [ended] = await Promise.allSettled([isSignature(round), thread.stop()]);
		expect(ended?.status).toBe('rejected');
		expect(await Promise.all([isSignature(round), isSignature(round + 1)])).toEqual([true, false]);
	});

	it('leaves the thread that orders bets next to none of the work', { tags: 'thorough' }, async () => {
		const cpuOf = async (work: () => unknown): Promise<number> => {
			const before = process.threadCpuUsage();
			await work();
			const { user, system } = process.threadCpuUsage(before);
			return user + system;
		};
		const asked = Array.from({ length: 6 }, () => round);
		const beside = await cpuOf(() => Promise.all(asked.map(isSignature)));
		const here = await cpuOf(() => asked.map((of) => isBeaconSignature(QUICKNET.publicKey, { round: of, signature })));
		expect(beside).toBeLessThan(here / 5);
	});
});
