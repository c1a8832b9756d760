/** Asks a source of time outside how late it is: an NTP server (RFC 5905), or the Date of an HTTP server. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Drift, driftOf } from '#server/process/health/clock-drift.ts';

const ANSWERS_WITHIN_MS = 2_000;
const NTP_PORT = 123;
const NTP_BYTES = 48;
/** Version 4, mode 3: a client's question. Its answer has mode 4. */
const NTP_QUESTION = 0x23;
const NTP_ANSWER = 4;
/** Seconds from NTP's first one, 1900, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;
/** Where the answer has the time at which the question came, and the one at which the answer left. */
const NTP_RECEIVED = 32;
const NTP_SENT = 40;
const FRACTIONS = 2 ** 32;
/** Stratum 0: the server is not synchronised itself, or asks us to go away. */
const NTP_STRATUM = 1;

/**
 * @param source such as `ntp://time.example` or `https://time.example/`
 * @throws Error if no answer can be used
 */
export async function sourceDrift(source: string): Promise<Drift> {
	const url = new URL(source);
	return url.protocol === 'ntp:' ? await ntpDrift(url) : await httpDrift(url);
}

async function ntpDrift({ hostname, port }: URL): Promise<Drift> {
	const host = hostname.replace(/^\[|\]$/g, '');
	const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
	const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
	try {
		socket.connect(port === '' ? NTP_PORT : Number(port), host);
		await once(socket, 'connect', { signal });
		const question = Buffer.alloc(NTP_BYTES);
		question[0] = NTP_QUESTION;
		const answered = once(socket, 'message', { signal });
		const askedMs = Date.now();
		socket.send(question);
		const [answer] = (await answered) as [Buffer];
		const answeredMs = Date.now();
		if (answer.length < NTP_BYTES || ((answer[0] ?? 0) & 7) !== NTP_ANSWER || answer[NTP_STRATUM] === 0)
			throw new Error('the time source gave no time');
		const theirs = { fromMs: ntpMs(answer, NTP_RECEIVED), toMs: ntpMs(answer, NTP_SENT) };
		return driftOf(askedMs, answeredMs, theirs);
	} finally {
		socket.close();
	}
}

const ntpMs = (answer: Buffer, at: number): number =>
	(answer.readUInt32BE(at) - NTP_EPOCH_SECONDS) * 1000 + (answer.readUInt32BE(at + 4) / FRACTIONS) * 1000;

/** The Date of an answer has whole seconds: it was that second, or up to 999 ms later. */
async function httpDrift(url: URL): Promise<Drift> {
	const askedMs = Date.now();
	const answer = await fetch(url, {
		method: 'HEAD',
		redirect: 'manual',
		signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
	});
	const answeredMs = Date.now();
	const ms = Date.parse(answer.headers.get('date') ?? '');
	if (!Number.isFinite(ms)) throw new Error('the time source gave no time');
	return driftOf(askedMs, answeredMs, { fromMs: ms + 999, toMs: ms });
}
