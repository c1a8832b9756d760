/** GLI-33: systems for bets on events. Its clauses were written from memory. */
import type { Requirement } from '#conformity/requirement.ts';

const BET_TEST = 'test/calls/bet.test.ts';
const OPERATOR_TEST = 'test/operator/operator.test.ts';
const TWO_PERSONS_TEST = 'test/operator/two-persons.test.ts';
const TRADERS_TEST = 'test/operator/traders.test.ts';
const LIFE_TEST = 'test/engine/market-life.test.ts';
const REOPEN_TEST = 'test/engine/reopen-market.test.ts';
const JUDGE = 'src/kernel/judge.ts';
const ODDS_POLICY = 'src/web/betting/odds-policy.ts';
const SIMULATED = 'a site says at its top and at its foot that sports and other players are simulated, if they are';
const fromMemory = true;

export const GLI_33: readonly Requirement[] = [
	{
		clause: '2.3.4',
		topic: 'receipt',
		kind: 'betting',
		requirement: 'A receipt names id, time, market, side, stake and basis of a bet.',
		state: 'part',
		reason:
			'The slip shows the reference and what was matched; the bet’s dialog has the rest. No receipt has all at once.',
		fromMemory,
		places: ['src/server/exchange/order/receipt.ts', 'src/web/features/bet-slip/placed-result.tsx'],
		tests: {
			'test/browser/slip.test.ts': [
				'shows the matched and the resting part, or none, or the refusal with its reference',
			],
			'test/calls/bet-record.test.ts': ['getUserOpenBets: success, with names, and each bet’s profit and risk'],
		},
	},
	{
		clause: '2.3.5',
		topic: 'void policy',
		kind: 'betting',
		requirement: 'The rules of void bets are published.',
		state: 'held',
		reason: 'The page of rules has them, for visitors too.',
		fromMemory,
		places: ['src/web/features/rules/rules-screen.tsx', 'src/web/texts/en/rules.ts'],
		tests: {
			'test/web/rules-page.test.ts': ['the rules tell of the delay of bets in play, of void bets and of commission'],
			'test/browser/visitors.test.ts': [
				'shows the market, what is in play and the rules, and asks for a login elsewhere',
			],
		},
	},
	{
		clause: '2.3.5',
		topic: 'voids by two',
		kind: 'betting',
		requirement: 'Two members of staff void bets.',
		state: 'held',
		reason: 'One proposes with a preview, another confirms it as it was shown.',
		fromMemory,
		places: ['src/server/operators/void-bets.ts', 'src/server/operators/proposals.ts'],
		tests: {
			[TWO_PERSONS_TEST]: [
				'whose bets one member would void alone stays as it was',
				'is taken back, voided and withdrawn by two persons, and the ledger is sound',
				'and the voiding of a bet do not both apply what they showed when both are confirmed at once',
			],
		},
	},
	{
		clause: '2.3.5',
		topic: 'refund',
		kind: 'wallet',
		requirement: 'A void bet gives back exactly its stake.',
		state: 'held',
		reason: 'Both players are released to the minor unit, in open and in settled markets.',
		fromMemory,
		places: ['src/engine/void-matches.ts'],
		tests: {
			'test/engine/void-matches.test.ts': ['releases both players; unmatched parts stay in the book'],
			'test/engine/settlement.test.ts': ['returns every stake, without commission, and lapses the unmatched'],
		},
	},
	{
		clause: '2.4',
		topic: 'suspend a runner',
		kind: 'betting',
		requirement: 'Operators can suspend one selection.',
		state: 'held',
		reason: 'A runner is suspended by itself, and stays so over a restart.',
		fromMemory,
		places: ['src/server/operators/market-acts.ts'],
		tests: {
			[TRADERS_TEST]: [
				'keeps a runner closed that another trader suspended, until that runner itself is priced or resumed',
			],
			'test/engine/house-markets.test.ts': [
				'stays closed on a runner that an operator suspended, whatever its feed quotes, over a restart',
			],
		},
	},
	{
		clause: '2.4',
		topic: 'suspend an event',
		kind: 'betting',
		requirement: 'Operators can suspend an event with all its markets.',
		state: 'held',
		reason: 'One press suspends every market of the event, and exactly those are resumed together.',
		fromMemory,
		places: ['src/server/operators/panic-acts.ts', 'src/server/world/markets/suspend-markets.ts'],
		tests: {
			'test/operator/panic.test.ts': [
				'of %s stops its bets alone, and resuming undoes it',
				'gives markets of a feed back to it, which opens them with its own prices',
			],
			[OPERATOR_TEST]: ['is suspended, resumed, and settled, once'],
			[TWO_PERSONS_TEST]: ['stays suspended when a trader suspends the event'],
		},
	},
	{
		clause: '2.4',
		topic: 'suspend all',
		kind: 'betting',
		requirement: 'Operators can suspend all betting.',
		state: 'held',
		reason: 'A suspended site takes no bets; its unmatched bets lapse or stay as the brand says.',
		fromMemory,
		places: ['src/server/process/lapse-suspended-bets.ts'],
		tests: {
			'test/domains/suspended-domain.test.ts': [
				'lapses unmatched bets of its players, keeps matched ones, and leaves other domains alone',
				'keeps no bet that is placed during the suspension',
			],
		},
	},
	{
		clause: '2.8',
		topic: 'market record',
		kind: 'log',
		requirement: 'A market’s record has its times, states, prices, results and who confirmed them.',
		state: 'part',
		reason: 'States and results are sealed rows, prices are kept as bars of time. No page shows one record of all.',
		fromMemory,
		places: ['src/server/exchange/ledger/batch-statement.ts', 'src/server/exchange/views/price-history.ts'],
		tests: {
			'test/ledger/seals.test.ts': ['that rewrites the entries and the chain'],
			'test/ledger/price-history.test.ts': ['reads every bar of an hour as it was written'],
			'test/operator/journal.test.ts': ['records the state of a player and a market'],
		},
	},
	{
		clause: '2.9',
		topic: 'futures',
		kind: 'report',
		requirement: 'A report has the liability of markets that are not decided yet.',
		state: 'part',
		reason: 'The exposure of the house is shown by market and outcome as of now. No report has it for a past day.',
		fromMemory,
		places: ['src/server/operators/house-exposure.ts'],
		tests: { 'test/reference/house-exposure.test.ts': ['agrees by outcome and at its worst in markets %s'] },
	},
	{
		clause: '4.2',
		topic: 'before confirmation',
		kind: 'betting',
		requirement: 'Price, stake and what can be won are shown before a bet is confirmed.',
		state: 'held',
		reason: 'The slip counts profit and cost with each key, by the figures of the server.',
		fromMemory,
		places: ['src/web/features/bet-slip/bet-amounts.tsx', 'src/web/betting/position.ts'],
		tests: {
			'test/browser/exchange-runs.test.ts': ['shows profit and cost while the stake is typed'],
			'test/web/position.test.ts': ['names profit, risk and every outcome of a plain back and a plain lay'],
		},
	},
	{
		clause: '4.2',
		topic: 'closing time',
		kind: 'betting',
		requirement: 'The time at which a market closes is shown before a bet is confirmed.',
		state: 'part',
		reason: 'The start of the event is shown. A market that closes at another time does not say when.',
		fromMemory,
		places: ['src/web/features/match-list/start-time.tsx'],
		tests: {
			'test/browser/grid.test.ts': [
				'a match in the list has its start written out, and a badge of a dot and a word once it is in play',
			],
		},
	},
	{
		clause: '4.3',
		topic: 'moved price',
		kind: 'betting',
		requirement: 'A price that moved is confirmed before the bet is placed.',
		state: 'held',
		reason: 'The slip asks, unless the player chose to accept moved odds; a bet never costs more than agreed.',
		fromMemory,
		places: [ODDS_POLICY],
		tests: {
			'test/web/odds-policy.test.ts': [
				'asks about a worse price unless the player accepts any, and then takes the offered one',
			],
			'test/browser/slip.test.ts': ['a price that moves at the moment of the press never costs more than was agreed'],
		},
	},
	{
		clause: '4.4',
		topic: 'after the close',
		kind: 'betting',
		requirement: 'No bet is accepted after its market closed.',
		state: 'held',
		reason: 'Bets and closings have one order, in which a bet is judged.',
		fromMemory,
		places: [JUDGE, 'src/server/exchange/order/sequencer.ts'],
		tests: {
			[BET_TEST]: ['placeBetV2: refusal in a suspended and in a closed market'],
			[LIFE_TEST]: ['lapses unmatched bets and takes no new ones'],
		},
	},
	{
		clause: '4.4',
		topic: 'atomic',
		kind: 'betting',
		requirement: 'A bet is accepted whole or not at all, whatever fails.',
		state: 'held',
		reason: 'A bet is acknowledged when its batch is durable, and a repeated request is the same bet.',
		fromMemory,
		places: ['src/server/exchange/ledger/committer.ts'],
		tests: {
			'test/ledger/kill.test.ts': [
				'loses no acknowledged bet and places no repeated one twice, through kills of server and database',
			],
		},
		evidence: 'npm run faults',
	},
	{
		clause: '4.5',
		topic: 'result',
		kind: 'log',
		requirement: 'A result is logged with its source, and confirmed.',
		state: 'held',
		reason: 'A feed’s result is proposed with its preview; a member who confirms it settles exactly what it showed.',
		fromMemory,
		places: ['src/server/operators/feed-results.ts'],
		tests: {
			'test/operator/feed-results.test.ts': [
				'waits with its preview on every screen, and one member who confirms it settles exactly what it showed',
			],
		},
	},
	{
		clause: '4.5',
		topic: 'resettlement',
		kind: 'log',
		requirement: 'A corrected result is logged, and settled as if it had been the first.',
		state: 'held',
		reason:
			'Reversal and second settlement are postings of their own; random stories compare them with the right result.',
		fromMemory,
		places: ['src/engine/reopen-market.ts', 'src/server/operators/resettlement.ts'],
		tests: {
			[REOPEN_TEST]: [
				'leaves every player with what the right result alone had given him (${SEEDS} random stories)',
				'can be reopened and settled repeatedly, and every posting has a number of its own',
			],
		},
		evidence: 'npm run reference',
	},
	{
		clause: '4.5',
		topic: 'virtual events',
		kind: 'betting',
		requirement: 'Virtual events are labelled as virtual.',
		state: 'held',
		reason: 'A badge says that the sports are simulated, where the brand’s flag says so.',
		fromMemory,
		places: ['src/contract/domain-setting.ts', 'src/web/features/frame/top-bar.tsx'],
		tests: {
			'test/web/brand-frame.test.ts': [SIMULATED],
			'test/browser/looks.test.ts': ['says once that its sports are simulated, and in no row'],
		},
	},
];
