/** The processes that decode pictures: killed, slow, full, stopped, and orphaned. */
import { spawn } from 'node:child_process';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { Media, type MediaLimits } from '#server/platform/media/media.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { onSeeds } from '../support/seeds.ts';

const NEVER = Number.POSITIVE_INFINITY;

const pictureOf = (width: number): Promise<Buffer> =>
	sharp({ create: { width, height: 20, channels: 3, background: 'white' } })
		.png()
		.toBuffer();

function openMedia(limits?: MediaLimits): Media {
	const media = new Media(limits);
	onTestFinished(() => media.stop());
	return media;
}

/** With a process that cleans, and has begun nothing. */
async function warmMedia(limits?: MediaLimits): Promise<{ media: Media; pid: number; picture: Buffer }> {
	const media = openMedia(limits);
	const picture = await pictureOf(30);
	await media.clean(picture, NEVER);
	return { media, pid: media.pids.cleaning ?? 0, picture };
}

const lives = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};
const ends = (pid: number) => expect.poll(() => lives(pid)).toBe(false);
const codeOf = (clean: Promise<unknown>) =>
	clean.then(
		() => null,
		(error: { code: string }) => error.code,
	);

it('a picture whose process is killed is cleaned by another one; one that loses two is refused', async () => {
	const { media, pid, picture } = await warmMedia();
	process.kill(pid, 'SIGSTOP');
	const saved = media.clean(picture, NEVER);
	process.kill(pid, 'SIGKILL');
	expect((await saved).width).toBe(30);
	const second = media.pids.cleaning ?? 0;
	expect(second).not.toBe(pid);
	process.kill(second, 'SIGSTOP');
	const lost = codeOf(media.clean(picture, NEVER));
	process.kill(second, 'SIGKILL');
	await expect.poll(() => media.pids.cleaning ?? second, { interval: 1 }).not.toBe(second);
	process.kill(media.pids.cleaning ?? 0, 'SIGKILL');
	expect(await lost).toBe('IMAGE_NOT_READABLE');
});

it('what is too small for a reference is read without a process, and what may hold one is not', async () => {
	const media = openMedia({ reading: { longestQueue: 0 } });
	const cleaned = async (width: number) => Buffer.from((await media.clean(await pictureOf(width), NEVER)).bytes);
	expect(await media.read(await cleaned(59), NEVER)).toEqual({ state: 'READ', lines: [] });
	expect(await media.read(await cleaned(60), NEVER)).toEqual({ state: 'NOT_READ_YET' });
	expect(await media.read(await pictureOf(30), NEVER)).toEqual({ state: 'NOT_READ_YET' });
	expect(media.pids.reading).toBeNull();
});

it('what takes too long or too much memory is killed, and says so', async () => {
	const picture = await pictureOf(30);
	const slow = openMedia({ cleaning: { longestMs: 1 }, reading: { longestMs: 1 } });
	expect(await codeOf(slow.clean(picture, NEVER))).toBe('DEADLINE_PASSED');
	expect(await slow.read(picture, NEVER)).toEqual({ state: 'TOO_SLOW' });
	const heavy = openMedia({ cleaning: { mostBytes: 1 }, reading: { mostBytes: 1 } });
	expect(await codeOf(heavy.clean(picture, NEVER))).toBe('IMAGE_TOO_LARGE');
	expect(await heavy.read(picture, NEVER)).toEqual({ state: 'TOO_SLOW' });
	for (const { pids } of [slow, heavy]) expect(pids).toEqual({ cleaning: null, reading: null });
});

it('a process that gets no CPU loses its picture at a deadline alone', async () => {
	const longestMs = 800;
	const { media, pid, picture } = await warmMedia({ cleaning: { longestMs } });
	process.kill(pid, 'SIGSTOP');
	const patient = media.clean(picture, NEVER);
	// Its turn would have to come within a time in which the first one's elapsed time has passed.
	expect(await codeOf(media.clean(picture, performance.now() + 2 * longestMs + 100))).toBe('DEADLINE_PASSED');
	process.kill(pid, 'SIGCONT');
	expect((await patient).width).toBe(30);
	expect(media.pids.cleaning).toBe(pid);
	process.kill(pid, 'SIGSTOP');
	expect(await codeOf(media.clean(picture, performance.now() + 2 * longestMs))).toBe('DEADLINE_PASSED');
	expect(media.pids.cleaning).toBeNull();
});

it('a full queue refuses the next picture; the same picture, twice in the queue, is the same twice', async () => {
	const { media, pid, picture } = await warmMedia({ cleaning: { longestQueue: 1 }, reading: { longestQueue: 0 } });
	process.kill(pid, 'SIGSTOP');
	const both = [media.clean(picture, NEVER), media.clean(picture, NEVER)];
	expect(await codeOf(media.clean(picture, NEVER))).toBe('OVERLOADED');
	expect(await media.read(picture, NEVER)).toEqual({ state: 'NOT_READ_YET' });
	process.kill(pid, 'SIGCONT');
	const [one, other] = await Promise.all(both);
	expect(one).toEqual(other);
});

it('a picture whose turn does not come in time is left alone', async () => {
	const { media, pid, picture } = await warmMedia({ cleaning: { longestMs: 60_000 }, reading: { longestMs: 60_000 } });
	expect(await codeOf(media.clean(picture, performance.now() + 59_000))).toBe('DEADLINE_PASSED');
	expect(await media.read(picture, performance.now() + 59_000)).toEqual({ state: 'NOT_READ_YET' });
	process.kill(pid, 'SIGSTOP');
	const begun = media.clean(picture, NEVER);
	expect(await codeOf(media.clean(picture, performance.now() + 60_010))).toBe('DEADLINE_PASSED');
	process.kill(pid, 'SIGCONT');
	expect((await begun).width).toBe(30);
});

it('a stop ends the process and what waits; nothing begins after it', async () => {
	const { media, pid, picture } = await warmMedia();
	process.kill(pid, 'SIGSTOP');
	const pending = [media.clean(picture, NEVER), media.clean(picture, NEVER)].map(codeOf);
	await media.stop();
	expect(await Promise.all(pending)).toEqual(['DRAINING', 'DRAINING']);
	expect(lives(pid)).toBe(false);
	expect(await codeOf(media.clean(picture, NEVER))).toBe('DRAINING');
	await expect(media.read(picture, NEVER)).rejects.toMatchObject({ code: 'DRAINING' });
});

it('the process ends when the server is killed, which cannot end it', { tags: 'thorough' }, async () => {
	const source = `import { Media } from '#server/platform/media/media.ts';
		const picture = Buffer.from('${(await pictureOf(30)).toString('base64')}', 'base64');
		const media = new Media();
		await media.clean(picture, Infinity);
		console.log(media.pids.cleaning);
		setInterval(() => undefined, 60_000);`;
	const server = spawn(process.execPath, ['--input-type=module-typescript', '-e', source]);
	onTestFinished(() => void server.kill('SIGKILL'));
	const pid = await new Promise<number>((resolve) => server.stdout.once('data', (line) => resolve(Number(line))));
	expect(lives(pid)).toBe(true);
	server.kill('SIGKILL');
	await ends(pid);
});

onSeeds(
	[1, 2, 3],
	'each picture gets its own answer or a refusal, whenever processes are killed: seed %i',
	async (seed) => {
		const random = new SeededNumbers(seed);
		const media = openMedia();
		const widths = Array.from({ length: 20 }, (_, at) => 10 + at);
		const pictures = await Promise.all(widths.map(pictureOf));
		const over = new AbortController();
		const killing = (async () => {
			for (let kills = 0; kills < 4 && !over.signal.aborted; kills++) {
				await expect.poll(() => over.signal.aborted || media.pids.cleaning !== null).toBe(true);
				await new Promise((resolve) => setTimeout(resolve, random.below(400)));
				const { cleaning } = media.pids;
				if (cleaning !== null) process.kill(cleaning, 'SIGKILL');
			}
		})();
		const answers = await Promise.all(
			pictures.map((bytes) =>
				media.clean(bytes, NEVER).then(
					({ width }) => width,
					(error: { code: string }) => error.code,
				),
			),
		);
		over.abort();
		await killing;
		for (const [at, answer] of answers.entries()) expect([widths[at], 'IMAGE_NOT_READABLE']).toContain(answer);
	},
	'thorough',
);
