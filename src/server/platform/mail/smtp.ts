/**
 * Mail by SMTP: one configured server takes every message. The outbox beside this file keeps messages until they are
 * taken; alarms are sent from memory, because the database may be what they tell of.
 */
import { createTransport, type Transporter } from 'nodemailer';

export interface MailConfig {
	host: string;
	port: number;
	/** TLS from the first byte; otherwise STARTTLS. */
	isSecure: boolean;
	/** Whether a server without STARTTLS is refused, so that passwords and codes never cross a network in the clear. */
	needsTls: boolean;
	/** Null for a server that takes mail from this machine as it is. */
	login: { user: string; password: string } | null;
	/** The address that messages come from. */
	from: string;
}

/** A message as the server gets it. Its id is the same in every attempt, so that a repetition is known as one. */
export interface SentMail {
	id: string;
	/** Shown beside the address. */
	senderName: string;
	to: string;
	subject: string;
	text: string;
	/** Null for text alone. */
	html: string | null;
}

/**
 * What became of an attempt: `away` is a fault of the server or of its configuration, which other messages would meet,
 * too; `later` and `never` are answers about this message.
 */
export type MailOutcome = { taken: true } | { taken: false; kind: 'away' | 'later' | 'never'; reason: string };

/** An answer takes no longer, so that neither an end of the process nor an alarm waits for a silent server. */
const TIMEOUT_MS = 10_000;
export const MOST_CONNECTIONS = 3;

/** Nodemailer's errors as far as they are read. */
interface SmtpError {
	code?: string;
	command?: string;
	responseCode?: number;
}

export class Smtp {
	readonly #config: MailConfig;
	readonly #transport: Transporter;

	constructor(config: MailConfig) {
		this.#config = config;
		const { host, port, isSecure, needsTls, login } = config;
		this.#transport = createTransport({
			host,
			port,
			secure: isSecure,
			requireTLS: needsTls && !isSecure,
			...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
			pool: true,
			maxConnections: MOST_CONNECTIONS,
			connectionTimeout: TIMEOUT_MS,
			greetingTimeout: TIMEOUT_MS,
			socketTimeout: TIMEOUT_MS,
			// A text that names a file or an address is a text.
			disableFileAccess: true,
			disableUrlAccess: true,
		});
	}

	/** Never throws. */
	async send({ id, senderName, to, subject, text, html }: SentMail): Promise<MailOutcome> {
		const { from } = this.#config;
		try {
			await this.#transport.sendMail({
				messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
				from: { name: senderName, address: from },
				to: { name: '', address: to },
				subject,
				text,
				...(html === null ? {} : { html }),
				// Programs that answer mail leave these alone (RFC 3834).
				headers: { 'Auto-Submitted': 'auto-generated' },
			});
			return { taken: true };
		} catch (error) {
			return refusalOf(error as SmtpError);
		}
	}

	/** Connects, and logs in where the server asks for it. @returns null, or why it cannot be used, without a secret */
	async fault(): Promise<string | null> {
		try {
			await this.#transport.verify();
			return null;
		} catch (error) {
			return reasonOf(error as SmtpError);
		}
	}

	close(): void {
		this.#transport.close();
	}
}

/** Answers of servers repeat addresses, so only codes are kept of them. */
const reasonOf = ({ code = 'no code', responseCode, command }: SmtpError): string =>
	responseCode === undefined ? code : `${code}, ${responseCode} to ${command ?? 'the connection'}`;

function refusalOf(error: SmtpError): MailOutcome {
	const { responseCode = 0, command = '' } = error;
	const isAboutMessage = command === 'RCPT TO' || command === 'DATA';
	const kind = !isAboutMessage || responseCode < 400 ? 'away' : responseCode < 500 ? 'later' : 'never';
	return { taken: false, kind, reason: reasonOf(error) };
}
