/**
 * `POST /wallet/{provider}/{call}`: the wallet for providers' servers, with raw bodies. It is not part of the players'
 * contract.
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import { actionsDialect } from '#server/money/casino/providers/dialects/actions.ts';
import { backlayDialect } from '#server/money/casino/providers/dialects/backlay.ts';
import type { Dialect, DialectAnswer, RawRequest } from '#server/money/casino/providers/dialects/dialect.ts';
import { formDialect } from '#server/money/casino/providers/dialects/form.ts';
import { rgsDialect } from '#server/money/casino/providers/dialects/rgs.ts';
import { rsaDialect } from '#server/money/casino/providers/dialects/rsa.ts';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { ProviderWallet } from '#server/money/casino/providers/provider-wallet.ts';
import type { SignedBodies } from '#server/money/casino/providers/signed-bodies.ts';
import { Refused } from '#values/error-catalogue.ts';

const LARGEST_BYTES = 16 * 1024;

const DIALECTS: Readonly<Record<Provider['dialect'], Dialect>> = {
	backlay: backlayDialect,
	rsa: rsaDialect,
	rgs: rgsDialect,
	form: formDialect,
	actions: actionsDialect,
};

interface WalletRoutesOptions {
	providers: readonly Provider[];
	wallet: Pick<ProviderWallet, 'answer'>;
	bodies: Pick<SignedBodies, 'belongTo'>;
	exchange: Pick<Exchange, 'fresh'>;
	/** How long a provider waits for an answer. */
	callDeadlineMs: number;
	clock: () => number;
	log: Logger;
}

export const walletRoutes =
	(options: WalletRoutesOptions) =>
	async (scope: FastifyInstance): Promise<void> => {
		const known = new Map(options.providers.map((provider) => [provider.id, provider]));
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_BYTES }, (_, body, done) =>
			done(null, body),
		);
		scope.route<{ Params: { provider: string; '*': string } }>({
			method: 'POST',
			url: '/wallet/:provider/*',
			// Each transaction has its id.
			config: { isRepeatable: true },
			handler: async (request, reply) => {
				const provider = known.get(request.params.provider);
				if (!provider) throw new Refused('NOT_FOUND');
				const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
				const { method, url: path, headers } = request;
				const asked = { method, path, call: request.params['*'].toLowerCase(), headers, body };
				const answer = await answerTo(provider, asked, options);
				reply.code(answer.status).type('application/json; charset=utf-8');
				return answer.body;
			},
		});
	};

async function answerTo(
	provider: Provider,
	raw: RawRequest,
	{ wallet, bodies, exchange, callDeadlineMs, clock, log }: WalletRoutesOptions,
): Promise<DialectAnswer> {
	const dialect = DIALECTS[provider.dialect];
	if (!dialect.isSigned(provider, raw, clock())) return dialect.refuse('INVALID_SIGNATURE', raw);
	const request = dialect.read(raw);
	if (!request) return dialect.refuse('WRONG_SYNTAX', raw);
	try {
		const untilMs = performance.now() + callDeadlineMs;
		// Balances and refusals come from memory, and those of a deposed process are stale.
		await exchange.fresh(untilMs);
		const signedBody = 'txId' in request || request.call === 'batch' ? dialect.signedBody(raw) : null;
		if (signedBody !== null && !(await bodies.belongTo(provider.id, raw.call, signedBody)))
			return dialect.refuse('INVALID_SIGNATURE', raw);
		const answered = await before(wallet.answer(provider.id, request, untilMs), untilMs, 'OUTCOME_UNKNOWN');
		return dialect.write(request, answered, raw);
	} catch (error) {
		if (!(error instanceof Refused)) log.error({ err: error, provider: provider.id }, 'a provider got no answer');
		return dialect.refuse('UNKNOWN', raw);
	}
}
