/** The ways by which alarms reach people. They need no database, because it may be what the alarm is about. */
import { createHash } from 'node:crypto';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Smtp } from '#server/platform/mail/smtp.ts';

export interface AlarmMessage {
	/** The check's name. */
	check: string;
	text: string;
	atMs: number;
}

export interface AlarmChannel {
	/** As the log calls it. */
	name: string;
	/** Resolves when the message was taken. @throws Error, without a secret in its message */
	send(message: AlarmMessage): Promise<void>;
}

const SEND_WITHIN_MS = 10_000;

/** @param url may contain a secret */
export const webhookChannel = (url: string): AlarmChannel => ({
	name: 'webhook',
	send: async ({ check, text, atMs }) => {
		const answer = await fetch(url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			// `text` is what the webhooks of the common chat programs show.
			body: JSON.stringify({ text, check, at: isoTime(atMs) }),
			signal: AbortSignal.timeout(SEND_WITHIN_MS),
		});
		if (!answer.ok) throw new Error(`status ${answer.status}`);
	},
});

/**
 * A message to each address, so that one that its server refuses keeps no other member uninformed. A repetition has the
 * same Message-ID.
 * @param process names the sender
 */
export function mailChannel(smtp: Pick<Smtp, 'send'>, addresses: readonly string[], process: string): AlarmChannel {
	/** Those that have the message of a check already, while another has not. */
	const taken = new Map<string, Set<string>>();
	return {
		name: 'mail server',
		send: async ({ check, text, atMs }) => {
			const id = createHash('sha256').update(`${process} ${check} ${atMs} ${text}`).digest('hex').slice(0, 32);
			const having = taken.get(id) ?? new Set();
			taken.set(id, having);
			const outcomes = await Promise.all(
				addresses
					.filter((to) => !having.has(to))
					.map(async (to) => {
						const subject = `Backlay ${process}: ${check}`;
						const body = `${text}\n\n${isoTime(atMs)}\n`;
						const outcome = await smtp.send({ id, senderName: 'Backlay', to, subject, text: body, html: null });
						// A message to an address that is refused for ever is not repeated.
						if (outcome.taken || outcome.kind === 'never') having.add(to);
						return outcome;
					}),
			);
			const open = outcomes.find((outcome) => !outcome.taken && outcome.kind !== 'never');
			if (open && !open.taken) throw new Error(open.reason);
			taken.delete(id);
		},
	};
}
