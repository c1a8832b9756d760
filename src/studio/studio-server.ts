/** The studio over HTTP: its list of games, the page of a game, and the page's requests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { STUDIO_GAMES } from '#studio/games.ts';
import { type Studio, StudioRefusal } from '#studio/studio.ts';

const DAY_MS = 86_400_000;
const PAGE = join(import.meta.dirname, 'page');
const FILES = { 'game.js': 'text/javascript; charset=utf-8', 'game.css': 'text/css; charset=utf-8' } as const;
/** A game runs in a sandbox without an origin of its own, and loads only from here. */
const policyOf = (origin: string): string =>
	`default-src 'none'; script-src ${origin}; style-src ${origin}; connect-src ${origin}`;

/** The valid transactions of a day, in rupees. */
function reportOf(studio: Studio, provider: string, fromMs: number): string {
	const confirmed = studio.transactionsOf(provider, fromMs, fromMs + DAY_MS);
	const rows = confirmed.map(({ txId, paid, received }) => `${txId},${paid / 100},${received / 100}`);
	return ['transaction,paid,received', ...rows].join('\n');
}

export function studioServer(studio: Studio): FastifyInstance {
	const server = Fastify({ logger: false });
	const page = readFileSync(join(PAGE, 'game.html'), 'utf8');
	server.addHook('onRequest', (_, reply, done) => {
		// The sandbox sends no cookies and has the origin "null".
		reply.headers({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' });
		done();
	});
	server.setErrorHandler((error, _, reply) => {
		const isRefusal = error instanceof StudioRefusal;
		return reply.code(isRefusal ? 422 : 500).send({ status: isRefusal ? error.status : 'UNKNOWN' });
	});
	for (const [name, type] of Object.entries(FILES)) {
		const text = readFileSync(join(PAGE, name), 'utf8');
		server.get(`/files/${name}`, (_, reply) => reply.type(type).send(text));
	}
	server.get<{ Params: { provider: string } }>('/:provider/games', ({ params: { provider } }) =>
		STUDIO_GAMES.filter((game) => game.provider === provider && studio.accounts.has(provider)).map(
			({ code, id, name, summary, rules, returnPercent, minStake = 10 }) => ({
				code,
				id,
				name,
				summary,
				rules,
				returnPercent,
				minStake,
				maxStake: 10_000,
				maxPayout: 290_000,
				countries: ['IN'],
				enabled: !studio.resting.has(provider),
			}),
		),
	);
	server.get<{ Params: { provider: string }; Querystring: { game?: string } }>('/:provider/play', (request, reply) => {
		const game = STUDIO_GAMES.find(({ code }) => code === request.query.game);
		const origin = `${request.protocol}://${request.host}`;
		return reply
			.headers({ 'Content-Security-Policy': policyOf(origin), 'Cache-Control': 'no-store' })
			.type('text/html; charset=utf-8')
			.send(page.replaceAll('{name}', game?.name ?? 'Game').replaceAll('{game}', game?.code ?? ''));
	});
	server.get<{ Params: { provider: string }; Querystring: { day?: string } }>(
		'/:provider/report',
		({ params: { provider }, query: { day = '' }, headers }, reply) => {
			const key = studio.accounts.get(provider)?.reportKey;
			if (key === undefined || headers.authorization !== `Bearer ${key}`) return reply.code(401).send();
			return reply.type('text/csv; charset=utf-8').send(reportOf(studio, provider, Date.parse(`${day}T00:00:00Z`)));
		},
	);
	server.options('/*', (_, reply) => reply.header('Access-Control-Allow-Headers', 'content-type').send());
	server.post<{ Params: { provider: string }; Body: { game: string; token: string } }>(
		'/:provider/api/sit',
		({ params, body }) => studio.sit(params.provider, String(body.game), String(body.token)),
	);
	server.post<{ Body: { seat: string; stake: number } }>('/:provider/api/bet', ({ body }) =>
		studio.bet(String(body.seat), body.stake),
	);
	server.post<{ Body: { seat: string; round: string; action: string } }>('/:provider/api/act', ({ body }) =>
		studio.act(String(body.seat), String(body.round), String(body.action)),
	);
	return server;
}
