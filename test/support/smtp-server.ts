/** A mail server that speaks SMTP over a socket, STARTTLS included, keeps what it takes, and fails as a test asks. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { MailConfig } from '#server/platform/mail/smtp.ts';

export interface TakenMail {
	to: string;
	messageId: string;
	from: string;
	subject: string;
	text: string;
	html: string;
	isEncrypted: boolean;
}

export class SmtpServer {
	/** In the order in which they came. */
	readonly taken: TakenMail[] = [];
	/** The reply to a command that begins so, instead of the usual one. */
	readonly replies = new Map<string, string>();
	/** Answers nothing at all. */
	isSilent = false;
	/** Takes messages and closes before it says so. */
	dropsAnswers = false;
	/** Takes messages, says nothing, and leaves the connection open. */
	holdsAnswers = false;
	connections = 0;
	logins: string[] = [];
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();
	readonly #context: ReturnType<typeof createSecureContext> | null;

	private constructor(hasTls: boolean) {
		this.#context = hasTls ? ownCertificate() : null;
		this.#server = createServer((socket) => this.#serve(socket));
	}

	static async start({ port = 0, hasTls = false } = {}): Promise<SmtpServer> {
		const server = new SmtpServer(hasTls);
		await server.listen(port);
		return server;
	}

	async listen(port: number): Promise<void> {
		this.#server.listen(port, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	get config(): MailConfig {
		return {
			host: '127.0.0.1',
			port: this.port,
			isSecure: false,
			needsTls: false,
			login: null,
			from: 'no-reply@brand.example',
		};
	}

	async stop(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	to(address: string): TakenMail[] {
		return this.taken.filter(({ to }) => to === address);
	}

	/** The six digits of the newest message to an address. */
	codeTo(address: string): string {
		return /\b\d{6}\b/.exec(this.to(address).at(-1)?.text ?? '')?.[0] ?? '';
	}

	#serve(plain: Socket): void {
		this.connections++;
		this.#sockets.add(plain);
		plain.on('close', () => this.#sockets.delete(plain));
		plain.on('error', () => undefined);
		if (this.isSilent) return;
		plain.write('220 mail.test ESMTP\r\n');
		this.#talk(plain, false);
	}

	#talk(socket: Socket, isEncrypted: boolean): void {
		let [buffer, to, isData] = ['', '', false];
		const say = (line: string) => socket.write(`${line}\r\n`);
		const command = (line: string): void => {
			const verb = [...this.replies.keys()].find((start) => line.toUpperCase().startsWith(start));
			const planned = verb === undefined ? undefined : this.replies.get(verb);
			if (planned !== undefined) return void say(planned);
			const upper = line.toUpperCase();
			if (upper.startsWith('EHLO')) {
				say('250-mail.test');
				if (this.#context && !isEncrypted) say('250-STARTTLS');
				say('250-AUTH PLAIN');
				return void say('250 8BITMIME');
			}
			if (upper.startsWith('AUTH PLAIN')) {
				this.logins.push(Buffer.from(line.slice(11), 'base64').toString());
				return void say('235 ok');
			}
			if (upper === 'STARTTLS' && !this.#context) return void say('502 no TLS here');
			if (upper === 'STARTTLS' && this.#context) {
				say('220 go ahead');
				socket.removeAllListeners('data');
				const secure = new TLSSocket(socket, { isServer: true, secureContext: this.#context });
				secure.on('error', () => undefined);
				return this.#talk(secure, true);
			}
			if (upper.startsWith('RCPT TO')) to = /<([^>]*)>/.exec(line)?.[1] ?? '';
			if (upper === 'DATA') {
				isData = true;
				return void say('354 go on');
			}
			if (upper === 'QUIT') return void socket.end('221 bye\r\n');
			say('250 ok');
		};
		socket.on('data', (part: Buffer) => {
			buffer += part.toString('latin1');
			for (;;) {
				const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n');
				if (end < 0) return;
				const line = buffer.slice(0, end);
				buffer = buffer.slice(end + (isData ? 5 : 2));
				if (!isData) {
					command(line);
					continue;
				}
				isData = false;
				this.taken.push({ to, isEncrypted, ...read(line) });
				if (this.holdsAnswers) continue;
				if (this.dropsAnswers) return void socket.destroy();
				say('250 taken');
			}
		});
	}
}

/** As much of MIME as the messages use. */
function read(raw: string): Omit<TakenMail, 'to' | 'isEncrypted'> {
	const { head, body } = parted(raw.replace(/^\.\./gm, '.'));
	const boundary = /boundary="([^"]+)"/.exec(head('content-type'))?.[1];
	const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1);
	const part = (type: string): string => {
		const found = parts
			.map((text) => parted(text.trimStart()))
			.find((one) => one.head('content-type').startsWith(type));
		return found ? decoded(found.body, found.head('content-transfer-encoding')) : '';
	};
	return {
		messageId: head('message-id'),
		from: words(head('from')),
		subject: words(head('subject')),
		text: part('text/plain'),
		html: part('text/html'),
	};
}

function parted(raw: string): { head: (name: string) => string; body: string } {
	const end = raw.indexOf('\r\n\r\n');
	const lines = raw
		.slice(0, end)
		.replace(/\r\n[ \t]+/g, ' ')
		.split('\r\n');
	const head = (name: string) =>
		lines.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
	return { head, body: raw.slice(end + 4) };
}

const decoded = (body: string, encoding: string): string => {
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
	return encoding === 'quoted-printable' ? quoted(body.replace(/=\r\n/g, '')) : body;
};

const quoted = (text: string): string =>
	Buffer.from(
		text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
		'latin1',
	).toString();

/** Encoded words of a head (RFC 2047). */
const words = (text: string): string =>
	text
		.replace(/\?=\s+=\?/g, '?==?')
		.replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
			kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : quoted(word.replaceAll('_', ' ')),
		);

function ownCertificate(): ReturnType<typeof createSecureContext> {
	const folder = mkdtempSync(join(tmpdir(), 'smtp-'));
	try {
		const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
		const files = ['-keyout', key, '-out', cert];
		const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
		execFileSync('openssl', ['req', '-x509', ...kind, ...files, '-subj', '/CN=127.0.0.1'], { stdio: 'ignore' });
		return createSecureContext({ key: readFileSync(key), cert: readFileSync(cert) });
	} finally {
		rmSync(folder, { recursive: true });
	}
}
