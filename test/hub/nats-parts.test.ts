/** News and answers above what NATS takes in one message, and the encryption of its connections. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { connect } from '@nats-io/transport-node';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { PartWriter } from '#server/platform/bus/numbered-parts.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { makeCertificate } from '../../tools/stream-certificate.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { startNatsServer } from './nats-server.ts';

const log = pino({ level: 'silent' });
const program = findNatsServer();
const TOPIC = 'market.1.PLAY';
const MEGABYTE = 1024 * 1024;

/** A piece of news with `bytes` of text, two for each sign. */
const newsOf = (count: number, bytes = 0): BusMessage => ({
	code: 'CrashTick',
	data: { round: 'é'.repeat(bytes / 2), elapsedMs: count, cents: 0, serverTime: 0 },
});
const inShort = ({ data }: BusMessage) => {
	const { elapsedMs, round } = data as { elapsedMs: number; round: string };
	return [elapsedMs, Buffer.byteLength(round)];
};

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(scratchFolder(), 'nats-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
	const path = join(folder, name);
	writeFileSync(path, text);
	return path;
}

async function start(options: readonly string[] = []) {
	const nats = await startNatsServer(program as string, undefined, options);
	onTestFinished(() => nats.stop());
	return nats;
}

async function busAt(url: string): Promise<NatsBus> {
	const bus = await NatsBus.connect(url, log);
	onTestFinished(() => bus.close());
	return bus;
}

/** A process that publishes, and another one that follows the topic. */
async function openPair() {
	const { url } = await start();
	const [engine, gateway] = [await busAt(url), await busAt(url)];
	engine.answer('echo', async ([bytes]) => 'é'.repeat(Number(bytes) / 2));
	const heard: number[][] = [];
	gateway.subscribe(TOPIC, (news) => heard.push(inShort(news) as number[]));
	// Its announcement went before.
	await gateway.ask('echo', [2]);
	return { url, engine, gateway, heard };
}

describe.skipIf(program === null)('above the limit of NATS', () => {
	it('news arrives whole and in order', async () => {
		const { engine, heard } = await openPair();
		const sizes = [0, 3 * MEGABYTE, 0, ...Array.from({ length: 40 }, () => 50_000), 2 * MEGABYTE];
		for (const [count, bytes] of sizes.entries()) engine.publish(TOPIC, newsOf(count, bytes));
		await expect.poll(() => heard.length).toBe(sizes.length);
		expect(heard).toEqual([...sizes.entries()]);
	});

	it('an answer arrives whole', async () => {
		const { gateway } = await openPair();
		const answers = await Promise.all([3 * MEGABYTE, 2, 2 * MEGABYTE].map((bytes) => gateway.ask('echo', [bytes])));
		expect(answers.map((answer) => Buffer.byteLength(String(answer)))).toEqual([3 * MEGABYTE, 2, 2 * MEGABYTE]);
	});

	it('a server that takes less than a part is refused', async () => {
		const { url } = await start(['--config', written('nats.conf', 'max_payload: 524288')]);
		await expect(NatsBus.connect(url, log)).rejects.toThrow(
			'NATS takes messages of 524288 bytes: raise its max_payload above 524288.',
		);
	});

	it('a lost part is a gap, told once, and the next news arrives', async () => {
		const { url, gateway, heard } = await openPair();
		let gaps = 0;
		gateway.onGap(() => {
			gaps++;
		});
		const sender = await connect({ servers: url });
		onTestFinished(() => sender.close());
		const writer = new PartWriter();
		const send = (count: number, keeps: (part: number) => boolean) => {
			const parts = writer.partsOf(JSON.stringify([newsOf(count, 1_000)]), 200);
			expect(parts.length).toBeGreaterThan(4);
			for (const [part, bytes] of parts.entries()) if (keeps(part)) sender.publish(`backlay.parts.${TOPIC}`, bytes);
		};
		send(1, (part) => part !== 2);
		send(2, () => true);
		await expect.poll(() => heard).toEqual([[2, 1_000]]);
		expect(gaps).toBe(1);
		// The first one, and the end.
		send(3, (part) => part > 0);
		send(4, (part) => part < 3);
		send(5, () => true);
		await expect.poll(() => gaps).toBe(3);
	});
});

describe.skipIf(program === null)('a connection over tls://', () => {
	const trusted = getCACertificates('default');
	const overTls = (port: number) => NatsBus.connect(`tls://127.0.0.1:${port}`, log);

	it('is refused by a server without TLS', async () => {
		const { port } = await start();
		await expect(overTls(port)).rejects.toThrow("server does not support 'tls'");
	});

	it('opens where the certificate is trusted and names the server, and nowhere else', async () => {
		const [own, other] = [makeCertificate(['127.0.0.1'], Date.now()), makeCertificate(['nats.test'], Date.now())];
		const serverOf = async (name: string, { certificate, key }: typeof own) => {
			const files = [written(`${name}.pem`, certificate), written(`${name}-key.pem`, key)];
			return await start(['--tls', '--tlscert', files[0] as string, '--tlskey', files[1] as string]);
		};
		const { port } = await serverOf('own', own);
		await expect(overTls(port)).rejects.toThrow();
		onTestFinished(() => setDefaultCACertificates(trusted));
		setDefaultCACertificates([...trusted, own.authority, other.authority]);
		const bus = await overTls(port);
		expect(bus.isConnected()).toBe(true);
		await bus.close();
		const { port: elsewhere } = await serverOf('other', other);
		await expect(overTls(elsewhere)).rejects.toThrow();
	});
});
