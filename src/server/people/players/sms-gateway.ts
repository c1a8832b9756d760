/** SMS gateways over HTTP: one POST for each message, as most providers, or a small bridge to them, accept. */
import type { SmsGateway } from '#server/people/players/outbox.ts';
import { postJson } from '#server/people/players/post-json.ts';

export interface SmsConfig {
	url: string;
	/** Sent as a bearer token; empty sends none. */
	key: string;
	/** The sender that the message shows. */
	sender: string;
	/** Gets what the first one refuses, or does not deliver. */
	second?: { url: string; key: string };
	/** Shown by gateways that send receipts. */
	receiptKey?: string;
}

const TIMEOUT_MS = 10_000;

/** Posts `{to, from, text, id}` as JSON; any 2xx means that the message was accepted. Receipts name the id. */
const gatewayAt =
	(server: { url: string; key: string }, sender: string): SmsGateway =>
	async ({ mobile, text, id }) => {
		const response = await postJson(server, { to: mobile, from: sender, text, id }, TIMEOUT_MS);
		await response.body?.cancel();
		if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`);
	};

/** In the order in which they are tried; none without a configuration. */
export const smsGateways = (config: SmsConfig | null): SmsGateway[] =>
	config ? [config, ...(config.second ? [config.second] : [])].map((one) => gatewayAt(one, config.sender)) : [];
