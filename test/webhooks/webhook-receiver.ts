/** The system of a brand that receives webhooks, on this machine: it checks nothing by the server's own code. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type * as v from 'valibot';
import type { WebhookBody } from '#contract/webhook-events.ts';

interface Received {
	headers: IncomingHttpHeaders;
	body: string;
}

type Body = v.InferOutput<typeof WebhookBody>;

/** How it answers: a status, a closed connection, or nothing while it runs. */
type Answer = number | 'no answer' | 'held';

export class WebhookReceiver {
	/** In the order in which they came, refused ones included. */
	readonly received: Received[] = [];
	answer: (path: string) => Answer = () => 200;
	/** Headers of its answers. */
	headers: Record<string, string> = {};
	readonly #server: Server;

	private constructor() {
		this.#server = createServer(async (request, response) => {
			this.received.push({ headers: request.headers, body: await text(request) });
			const answer = this.answer(request.url ?? '');
			if (answer === 'no answer') request.socket.destroy();
			else if (answer !== 'held') response.writeHead(answer, this.headers).end();
		});
	}

	static async open(): Promise<WebhookReceiver> {
		const receiver = new WebhookReceiver();
		receiver.#server.listen(0, '127.0.0.1');
		await once(receiver.#server, 'listening');
		return receiver;
	}

	url(path = '/hook'): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
	}

	bodies(): Body[] {
		return this.received.map(({ body }) => JSON.parse(body) as Body);
	}

	/** The ids in the order in which they came; one that came twice stands there twice. */
	ids(): string[] {
		return this.received.map(({ headers }) => String(headers['webhook-id']));
	}

	close(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}

/** Which of a webhook's signatures are those of the secret, as standardwebhooks.com describes it. */
export function signaturesOf({ headers, body }: Received, secret: string): boolean[] {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
	const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
	return String(headers['webhook-signature'])
		.split(' ')
		.map((one) => one === signature);
}
