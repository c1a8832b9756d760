/**
 * Opens the answering of players' calls: the handlers over all parts, with a span around each traced call, behind the
 * gate of a hand-over. It serves calls of browsers, of gateways, and those passed by another process.
 */
import { allHandlers } from '#server/calls/all-handlers.ts';
import { answerCalls } from '#server/calls/answer-calls.ts';
import { BetAdmission } from '#server/calls/bet-admission.ts';
import { definitionsOf } from '#server/calls/game-definition.ts';
import type { Parts } from '#server/calls/handler.ts';
import { receiptedAnswers } from '#server/calls/receipted-answers.ts';
import { openApiText } from '#server/doors/http/open-api.ts';
import type { PlayersCalls } from '#server/doors/open-doors.ts';
import { tracedAnswers } from '#server/doors/traces/traced-answers.ts';
import type { Traces } from '#server/doors/traces/traces.ts';
import type { Trading } from '#server/exchange/open-trading.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { SumTrees } from '#server/money/liabilities/trees.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { ReceiptWriter } from '#server/platform/public-log/receipt-writer.ts';
import type { Gate } from '#server/process/hand-over/gate.ts';
import { gateCalls } from '#server/process/hand-over/gate-calls.ts';
import { passCallsTo } from '#server/process/hand-over/pass-calls.ts';
import type { Accounts } from '#server/process/open-accounts.ts';
import type { Opening } from '#server/process/opening.ts';
import type { World } from '#server/world/open-world.ts';

interface BelowCalls {
	world: World;
	trading: Trading;
	accounts: Accounts;
	providers: Providers;
	sumTrees: SumTrees;
	telemetry: { traces: Traces | null };
	gates: { calls: Gate };
}

export function openCalls(opening: Opening, below: BelowCalls): PlayersCalls {
	const { world, accounts, trading, providers, telemetry, gates } = below;
	const { rateLimitFactor, tokenKey } = opening.config;
	const operatorKey = operatorKeyOf(tokenKey);
	const { fixtures, brands } = world;
	const parts = partsOf(opening, below);
	const answered = answerCalls({
		handlers: allHandlers(parts),
		players: accounts.players,
		protection: accounts.funds.protection,
		sports: accounts.sports,
		brands,
		rateLimitFactor,
		exchange: trading.exchange,
		fixtures,
	});
	const receipts = new ReceiptWriter({
		writeRoot: (make) => trading.exchange.writeReceiptRoot(make),
		ledgerKey: opening.config.ledgerKey,
		clock: () => trading.exchange.now(),
		batch: () => trading.exchange.durableBatch(),
		lost: (error, references) => opening.log.warn({ err: error, references }, 'references of receipts name nothing'),
	});
	const here = receiptedAnswers(answered, { receipts, log: opening.log });
	return {
		parts,
		receipts,
		answer: gateCalls(gates.calls, tracedAnswers(here, telemetry.traces), (address) =>
			passCallsTo(address, operatorKey),
		),
		document: openApiText(),
		findDefinition: definitionsOf(providers.games),
		streams: () => fixtures.all().flatMap(({ streamUrl }) => streamUrl ?? []),
		framed: () => providers.origins,
	};
}

const partsOf = (
	{ config, database }: Opening,
	{ world, trading, accounts, providers, sumTrees }: BelowCalls,
): Parts => ({
	exchange: trading.exchange,
	fixtures: world.fixtures,
	priceHistory: trading.priceHistory,
	traded: trading.traded,
	starting: trading.starting,
	publisher: trading.publisher,
	players: accounts.players,
	push: accounts.push,
	brands: world.brands,
	betAdmission: new BetAdmission(
		{
			brands: world.brands,
			brandLimits: world.brandLimits,
			funds: accounts.funds,
			exchange: trading.exchange,
			sports: accounts.sports,
		},
		config.rateLimitFactor,
	),
	casino: accounts.casino,
	providers,
	funds: accounts.funds,
	sumTrees,
	tickets: accounts.tickets,
	db: database.db,
	reads: database.reads,
	throughHistory: database.throughHistory,
});
