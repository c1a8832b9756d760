/** The SMS gateway over HTTP: one POST for each message, as most providers, or a small bridge to them, accept. */
import type { SmsGateway } from '#server/people/players/outbox.ts';

interface SmsOptions {
	url: string;
	/** Sent as a bearer token; empty sends none. */
	key: string;
	/** The sender that the message shows. */
	sender: string;
}

const TIMEOUT_MS = 10_000;

/** Posts `{to, from, text}` as JSON; any 2xx means that the message was accepted. */
export function smsGateway({ url, key, sender }: SmsOptions): SmsGateway {
	return async ({ mobile, text }) => {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', ...(key === '' ? {} : { Authorization: `Bearer ${key}` }) },
			body: JSON.stringify({ to: mobile, from: sender, text }),
			redirect: 'error',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		await response.body?.cancel();
		if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`);
	};
}
