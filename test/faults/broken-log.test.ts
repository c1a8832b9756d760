/**
 * The place the log goes to is full, blocked or gone.
 */
import { afterEach, expect, it } from 'vitest';
import { abortUploads } from './support/aborted-uploads.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm } from './support/form.ts';
import { demoPlayer } from './support/player-client.ts';
import { FileLog, PipeLog, type ServerLog } from './support/server-log.ts';
import { SmallDisk } from './support/small-disk.ts';

/** At the level `debug` each is a line of more than 200 bytes; a pipe and its reader hold more than 400 of them. */
const LINES = byForm(1_000, 60_000);
/**
 * The log holds back 1 MiB of lines beside a write of as much; the rest is what a server that warms up keeps, with a
 * healthy log as well. It is as much after 20,000 lines as after 60,000, which are 21 MB.
 */
const MOST_GROWTH_BYTES = 8 * 1024 * 1024;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function startWith(log: () => ServerLog, level = 'debug'): Promise<FaultyServer> {
	const server = await FaultyServer.start({ args: ['--no-feeds', '--log-level', level], log });
	cleanUps.push(() => server.dispose());
	return server;
}

/** The server answers, has not grown, and stops when it is told to. */
async function expectUnharmed(server: FaultyServer, inUseBefore: number): Promise<void> {
	expect(await demoPlayer(server)).toEqual(expect.any(String));
	// What was used a moment ago is let go a little later.
	const growth = async () => (await server.memoryInUse()) - inUseBefore;
	await expect.poll(growth).toBeLessThan(MOST_GROWTH_BYTES);
	expect(await server.stop()).toEqual({ code: 0, signal: null });
}

/** Room for all that is written once the disk is free again. */
const DISK_MEGABYTES = 8;

it('a full log disk stops nothing, and the log continues when there is room again', {
	tags: 'thorough',
}, async ({ skip }) => {
	const disk = SmallDisk.mount(DISK_MEGABYTES) ?? skip();
	cleanUps.push(() => disk.dispose());
	const server = await startWith(() => new FileLog(`${disk.folder}/server.log`));
	const inUse = await server.memoryInUse();
	disk.fill();
	const linesWhenFull = server.log.lines;
	await abortUploads(server, LINES);
	expect(await demoPlayer(server)).toEqual(expect.any(String));
	disk.free();
	await expect.poll(() => server.log.lines).toBeGreaterThan(linesWhenFull);
	await expectUnharmed(server, inUse);
	const { log } = server;
	for (const line of log.tail().filter((text) => text.startsWith('{'))) JSON.parse(line);
});

it('a log without a reader stops nothing, and continues when it is read again', async () => {
	const log = new PipeLog();
	const server = await startWith(() => log);
	const inUse = await server.memoryInUse();
	log.block();
	await abortUploads(server, LINES);
	expect(await demoPlayer(server)).toEqual(expect.any(String));
	const linesBefore = log.lines;
	log.unblock();
	await expect.poll(() => log.lines).toBeGreaterThan(linesBefore);
	await expectUnharmed(server, inUse);
});

it('a log whose reader is gone stops nothing', { tags: 'thorough' }, async () => {
	const log = new PipeLog();
	const server = await startWith(() => log);
	const inUse = await server.memoryInUse();
	log.close();
	await abortUploads(server, LINES);
	await expectUnharmed(server, inUse);
});

it('uploads that clients abort write no log line', { tags: 'thorough' }, async () => {
	const server = await startWith(() => new PipeLog(), 'info');
	const logged = () => server.log.tail().filter((line) => line.startsWith('{'));
	const before = logged();
	await abortUploads(server, 200);
	await demoPlayer(server);
	expect(logged()).toEqual(before);
});
