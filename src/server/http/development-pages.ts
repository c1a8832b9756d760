/** Pages for whoever develops or tries the site out; never mounted in production. */
import type { FastifyInstance } from 'fastify';
import type { Outbox, StoredMessage } from '#server/accounts/outbox.ts';
import { escaped } from '#server/http/brand-page.ts';

const row = ({ at, brand, mobile, text, sentAt }: StoredMessage): string =>
	`<tr><td>${[at, brand, mobile, sentAt ? 'given to the gateway' : text].map(escaped).join('</td><td>')}</td></tr>`;

const outboxPage = (messages: readonly StoredMessage[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Outbox</title>
<style>body{font:16px/1.5 system-ui;margin:2rem;color-scheme:light dark}td,th{padding:.25rem 1rem .25rem 0;text-align:left}</style>
<main>
<h1>Outbox</h1>
<p>Text messages to players, newest first. This page does not exist in production.</p>
${messages.length === 0 ? '<p>Nothing was sent yet.</p>' : `<table><tr><th>Time<th>Site<th>To<th>Message</tr>${messages.map(row).join('')}</table>`}
</main>
`;

/** `GET /development/outbox`: the one-time codes, for want of a mobile. */
export function developmentPages(server: FastifyInstance, outbox: Outbox): void {
	server.get('/development/outbox', async (_, reply) =>
		reply
			.type('text/html; charset=utf-8')
			.header('Cache-Control', 'no-store')
			.send(outboxPage(await outbox.latest())),
	);
}
