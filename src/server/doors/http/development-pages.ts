/** Pages for developing and trying out the site; never served in production. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { escaped } from '#server/doors/http/brand-page.ts';
import { hostOf } from '#server/doors/http/host-name.ts';
import type { Outbox, StoredMessage } from '#server/people/players/outbox.ts';
import type { KeptMail, MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import { Refused } from '#values/error-catalogue.ts';
import { isLocalhostName, isLoopback } from '#values/network.ts';

const row = ({ at, brand, mobile, text, sentAt }: StoredMessage): string =>
	`<tr><td>${[at, brand, mobile, sentAt ? 'given to the gateway' : text].map(escaped).join('</td><td>')}</td></tr>`;

const mailRow = ({ at, brand, to, subject, text, state }: KeptMail): string =>
	`<tr><td>${[at, brand, to, subject, text ?? state].map(escaped).join('</td><td>')}</td></tr>`;

const outboxPage = (messages: readonly StoredMessage[], mails: readonly KeptMail[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Outbox</title>
<style>body{font:16px/1.5 system-ui;margin:2rem}td,th{padding:.25rem 1rem .25rem 0;text-align:left}</style>
<main>
<h1>Outbox</h1>
<p>Text messages and mail to players, newest first. This page does not exist in production.</p>
${messages.length === 0 ? '<p>Nothing was sent yet.</p>' : `<table><tr><th>Time<th>Site<th>To<th>Message</tr>${messages.map(row).join('')}</table>`}
${mails.length === 0 ? '' : `<h2>Mail</h2><table><tr><th>Time<th>Site<th>To<th>About<th>Message</tr>${mails.map(mailRow).join('')}</table>`}
</main>
`;

/** Headers that a proxy adds to a request. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether a request comes from this machine and names this machine. The socket alone is not enough: a local proxy
 * forwards requests from elsewhere, and another host's name may resolve to this machine.
 */
function isLocal(request: FastifyRequest): boolean {
	const forwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
	return !forwarded && isLoopback(request.socket.remoteAddress ?? '') && isLocalhostName(hostOf(request));
}

/** `GET /development/outbox`: shows one-time codes in place of a mobile, to the developer's own browser alone. */
export function developmentPages(server: FastifyInstance, outbox: Outbox, mails: MailOutbox): void {
	server.get('/development/outbox', async (request, reply) => {
		if (!isLocal(request)) throw new Refused('NOT_FOUND');
		return reply.type('text/html; charset=utf-8').send(outboxPage(await outbox.latest(), await mails.latest()));
	});
}
