/**
 * The site with a draft of its brand, in a frame of the operators' console: `/any/page?preview=SECRET`. The browser lets it
 * make visitors' reads alone, so no log-in and no call about money leaves it, and shows it in no other frame.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#contract/call.ts';
import { CALLS } from '#contract/registry.ts';
import { scriptSources } from '#server/doors/http/content-policy.ts';
import { answerOf } from '#server/doors/http/envelope.ts';
import { send } from '#server/doors/http/plain-server.ts';

const READS: readonly string[] = Object.values<Call>(CALLS)
	.filter(({ auth, changesState, host }) => auth !== 'player' && !changesState && host === 'server')
	.map(({ path }) => `/${path}`);

const HUB = ['/hub', '/hub/'];
/** What the page may ask: visitors' reads, the hub, and definitions of games. A path that ends in / stands for all below. */
const askedOf = (host: string): string[] => [
	...[...READS, ...HUB, '/games/'].map((path) => `${host}:*${path}`),
	...HUB.flatMap((path) => [`ws://${host}:*${path}`, `wss://${host}:*${path}`]),
];

/** The secret in a request's address; null without one. */
export function previewSecret({ query }: FastifyRequest): string | null {
	const { preview } = query as { preview?: unknown };
	return typeof preview === 'string' && preview !== '' ? preview : null;
}

interface PreviewPlace {
	host: string;
	consoleHost: string;
	/** Hashes of the scripts within the built page; what a draft adds to it is not among them. */
	scripts: readonly string[];
}

const policyOf = ({ host, consoleHost, scripts }: PreviewPlace): string =>
	[
		"default-src 'self'",
		...scriptSources(scripts),
		"img-src 'self' data: blob:",
		"style-src 'self' 'unsafe-inline'",
		['connect-src', ...askedOf(host)].join(' '),
		"media-src 'none'",
		"worker-src 'none'",
		"frame-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
		`frame-ancestors ${consoleHost}:*`,
		"object-src 'none'",
		'sandbox allow-scripts allow-same-origin',
	].join('; ');

/** @param page of the draft, for the script without the marks of a preview */
export const sendPreview = (reply: FastifyReply, page: string, place: PreviewPlace): FastifyReply =>
	reply
		.type('text/html; charset=utf-8')
		.header('Cache-Control', 'no-store')
		.header('Referrer-Policy', 'no-referrer')
		.header('Content-Security-Policy', policyOf(place))
		.send(page.replace('id="domain-setting"', 'id="domain-setting" data-preview="draft"'));

export const noPreview = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
	send(request, reply, answerOf('NOT_FOUND'));
