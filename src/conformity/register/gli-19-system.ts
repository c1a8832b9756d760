/** GLI-19, chapter 2, up to 2.7: clock, files, accounts, wallets, clients and locations. */
import type { Requirement } from '#conformity/requirement.ts';

const LIMITS = 'src/server/money/funds/protection/person-limits.ts';
const PROTECTION = 'src/server/money/funds/protection/protection.ts';
const PROTECTION_TEST = 'test/calls/protection.test.ts';
const LOWER_AND_RAISE = 'setLimits: success, a lower limit counts at once, a higher one after a day and a confirmation';
const REAL_MONEY = 'src/server/money/funds/protection/real-money.ts';
const REAL_MONEY_TEST = 'test/funds/real-money.test.ts';
const REAL_MONEY_OPENS =
	'opens when licence, countries, identity and location are there, and is closed by each that is not';
const RELEASE_FILES = 'src/server/process/health/release-files.ts';
const RELEASE_FILES_TEST = 'test/start/release-files.test.ts';
const TRANSFER_TEST = 'test/engine/transfer.test.ts';

export const GLI_19_SYSTEM: readonly Requirement[] = [
	{
		clause: '2.2',
		topic: 'one clock',
		kind: 'log',
		requirement: 'All times come from one synchronised clock, whose drift is logged.',
		state: 'held',
		reason:
			'One clock stamps the ledger and never goes back. Its drift against the database, and against a source of time that the operator names, is measured twice a minute; the journal has its course by the hour, and each jump.',
		places: ['src/server/exchange/order/exchange-clock.ts', 'src/server/process/health/clock-watch.ts'],
		tests: {
			'test/ledger/exchange-clock.test.ts': [
				'never decreases and runs within half a percent of the monotonic clock, however the wall clock jumps',
				'continues from the last stamp after a restart with an earlier clock',
			],
			'test/start/clock-watch.test.ts': [
				'a machine that is minutes ahead of %s is failing, whatever the database says',
				'a jump is recorded once, forwards and backwards, and a slow correction is none',
				'the journal has the course of the drift once an hour, by a clock that is never set',
			],
		},
		evidence: 'npm run operator -- doctor',
	},
	{
		clause: '2.3.2',
		topic: 'own hashes',
		kind: 'security',
		requirement: 'The system hashes its critical components every 24 hours and on demand, and reports a difference.',
		state: 'part',
		reason:
			'Source, built pages, schema and lockfile are compared with those at the start, and a difference is an alarm. Installed packages, Node and PostgreSQL are not compared while the server runs.',
		places: [RELEASE_FILES],
		tests: {
			[RELEASE_FILES_TEST]: [
				'files that were changed, added and removed since the start are named, and well again when they are back',
				'a comparison serves for its time, and is made again after it, on demand, and when the clock was set back',
				'doctor and /ready have the digest in production, and no files where they are developed',
			],
		},
		evidence: 'npm run operator -- doctor',
	},
	{
		clause: '2.3.3',
		topic: 'independent check',
		kind: 'security',
		requirement: 'A third party can verify the critical components without the system’s own software.',
		state: 'held',
		reason:
			'Common commands compute the digest that `/ready` shows, and the server compares it with the digest that was published with the release.',
		places: [RELEASE_FILES],
		tests: {
			[RELEASE_FILES_TEST]: [
				'an unchanged release is well, under the digest that sha256sum computes of it',
				'files that were changed before the start are found by the digest that was published with the release',
			],
		},
		evidence: 'npm run conformity -- --pack FOLDER',
	},
	{
		clause: '2.4.1',
		topic: 'stop all',
		kind: 'game',
		requirement: 'Operators can disable all play at once.',
		state: 'held',
		reason: 'A suspended site refuses bets and rounds; what was placed before is settled.',
		places: ['src/server/process/lapse-suspended-bets.ts', 'src/server/calls/stake-admission.ts'],
		tests: {
			'test/domains/domain-settings.test.ts': [
				'refuses new bets, sign-ups and the catalogue with a code, while existing bets are settled',
			],
			'test/domains/suspended-domain.test.ts': ['keeps no bet that is placed during the suspension'],
		},
	},
	{
		clause: '2.4.1',
		topic: 'stop a game',
		kind: 'game',
		requirement: 'Operators can disable one game.',
		state: 'held',
		reason:
			'A game is closed for one brand or for all: it begins no round, and those that began are finished. Sports and markets close, too.',
		places: ['src/server/money/casino/game-rules.ts', 'src/values/sports.ts'],
		tests: {
			'test/operator/game-rules.test.ts': [
				'begins no round on its brand, shows itself closed in the lobby, and begins them again once it is open',
				'is closed where all brands or one say so, and stays so over a restart',
				'takes no bet at its table, whose round goes on',
			],
			'test/domains/domain-settings.test.ts': ['is missing from every list and call of a domain that does not show it'],
		},
	},
	{
		clause: '2.4.1',
		topic: 'stop a player',
		kind: 'account',
		requirement: 'Operators can disable the account of one player.',
		state: 'held',
		reason: 'A frozen account finds every door closed, those of bots and of providers’ games too.',
		places: ['src/server/people/persons/doors.ts'],
		tests: { 'test/persons/doors.test.ts': ['all doors answer alike, and at once, whatever the bar'] },
	},
	{
		clause: '2.4.1',
		topic: 'rounds end',
		kind: 'game',
		requirement: 'Rounds that run when play is disabled can be finished.',
		state: 'held',
		reason: 'A barred player ends an open round, cashes out in flight, and stakes nothing more.',
		places: ['src/server/calls/stake-admission.ts'],
		tests: {
			'test/calls/casino.test.ts': ['refuses rounds during a time-out; an open round can be ended, and not raised'],
			'test/calls/crash.test.ts': [
				'refuses a bet of a player who takes a break; one that is in the air can be cashed out',
			],
		},
	},
	{
		clause: '2.5.2',
		topic: 'identity',
		kind: 'account',
		requirement: 'Age and identity are verified before an account can be used for play.',
		state: 'part',
		reason:
			'The pool REAL takes no bet before an operator verified the player. The account itself opens before, and the date of birth is stated by the reviewer and not stored.',
		places: [REAL_MONEY, 'src/server/money/funds/identity/documents.ts'],
		tests: {
			[REAL_MONEY_TEST]: [REAL_MONEY_OPENS],
			'test/calls/identity.test.ts': ['of a minor are not accepted, and operators do not decide about themselves'],
		},
	},
	{
		clause: '2.5.2',
		topic: 'terms',
		kind: 'account',
		requirement: 'The accepted versions of the terms and of the privacy policy are stored with the account.',
		state: 'held',
		reason:
			'Two members announce versions for an instant, and each player accepts what is new before a bet, a round or a deposit. The texts themselves lie with the brand.',
		places: ['src/server/money/funds/protection/accepted-terms.ts', 'src/server/calls/stake-admission.ts'],
		tests: {
			'test/calls/terms.test.ts': [
				'are announced by two members for an instant to come, not by one, by the key or for the past',
				'acceptTerms: success, play goes on, until a new version holds, and each acceptance is kept with time and brand',
				'agree with a slow record through random versions, switches and restarts, seed %s',
			],
		},
	},
	{
		clause: '2.5.2',
		topic: 'exclusion lists',
		kind: 'account',
		requirement: 'Lists of excluded persons are asked before an account is opened.',
		state: 'part',
		reason:
			'The operator’s own exclusions hold for later accounts of the person. The list of the profile’s authority is asked through a bridge, by the mobile alone.',
		places: [
			PROTECTION,
			'src/server/money/funds/protection/exclusions.ts',
			'src/server/people/players/exclusion-lists.ts',
		],
		tests: {
			'test/funds/exclusion-list.test.ts': [
				'opens no account to a person in the register, nor while it is silent, and tells only who has the mobile',
			],
			[PROTECTION_TEST]: [
				'excludeSelf: success, for half a year, in later accounts of the same mobile, and unmatched bets are cancelled',
				'is known by a document under another mobile, and stays excluded',
			],
		},
	},
	{
		clause: '2.5.3',
		topic: 'lock',
		kind: 'security',
		requirement: 'Three failed log-ins in 30 minutes lock the account until a second factor unlocks it.',
		state: 'held',
		reason:
			'Attempts under way count, so no more passwords are tried at once than in turn. A code to the proven mobile unlocks the account, or an operator.',
		places: ['src/server/people/players/failed-logins.ts', 'src/server/people/players/login-locks.ts'],
		tests: {
			'test/calls/login-lock.test.ts': [
				'unlockAccount: success, by the code of the mobile, after three wrong passwords in half an hour locked the account',
				'has no more passwords tried at once than in turn, by log-ins, bots and confirmations together',
				'stays locked over a restart, which forgets no failure either, and locks nothing in play money',
				'agrees with a slow count of failures through random attempts, times and switches, seed %s',
			],
		},
	},
	{
		clause: '2.5.3',
		topic: 'last log-in',
		kind: 'security',
		requirement: 'A player who logs in is told when and from where the last log-in was.',
		state: 'held',
		reason: 'The answer of a log-in has it, and the site says it.',
		fromMemory: true,
		places: ['src/server/people/players/open-players.ts', 'src/web/features/login/login-form.tsx'],
		tests: {
			'test/calls/login-lock.test.ts': ['shows the log-in before to a player who logs in, where the profile says so'],
		},
	},
	{
		clause: '2.5.3',
		topic: 'second factor',
		kind: 'security',
		requirement: 'Resetting a password and changing bank or personal data need a second factor.',
		state: 'part',
		reason:
			'A one-time code proves a mobile. A password is changed with the old one alone, payout details with neither.',
		places: ['src/server/people/players/mobile-proofs.ts', 'src/server/people/players/passwords.ts'],
		tests: {
			'test/calls/unproven-mobile.test.ts': ['proveMobile: refusal after five guesses, all at once or not'],
			'test/calls/password.test.ts': [
				'changePassword: refusal of a wrong current password, with a status that ends no login',
			],
		},
	},
	{
		clause: '2.5.4',
		topic: 'idle log-in',
		kind: 'account',
		requirement: 'After 30 idle minutes a player logs in again before money moves.',
		state: 'held',
		reason: 'The password is needed before a call that moves money, and the same request goes on after it.',
		places: ['src/server/people/players/login-store.ts', 'src/server/calls/answer-calls.ts'],
		tests: {
			'test/calls/idle-login.test.ts': [
				'confirmPassword: success, a bet that an idle player was refused goes on with the same request, once',
				'asks before each call that moves money, also one that would be refused, and never asks demo players',
				'ends a provider’s game for an idle player until the password is given',
				'asks a bot that was silent as long to log in again; a keep-alive is a sign of it',
				'agrees with a slow reading of the rule through switches, jumps, restarts of the page and requests at once, seed %s',
			],
		},
	},
	{
		clause: '2.5.5',
		topic: 'lower a limit',
		kind: 'account',
		requirement: 'A limit that a player lowers counts at once.',
		state: 'held',
		reason: 'It counts with the answer, on all brands of the person.',
		places: [LIMITS],
		tests: {
			[PROTECTION_TEST]: [
				LOWER_AND_RAISE,
				'has one set of limits on all brands, lowered at once and raised after a day',
			],
		},
	},
	{
		clause: '2.5.5',
		topic: 'raise a limit',
		kind: 'account',
		requirement: 'A raised limit counts after 24 hours at the earliest.',
		state: 'held',
		reason: 'The player confirms the raise when a day has passed by the ledger’s clock.',
		places: [LIMITS],
		tests: {
			[PROTECTION_TEST]: [LOWER_AND_RAISE],
			'test/funds/limit-periods.test.ts': [
				'a break ends, and a raised limit can be confirmed, when the time has passed and not when the clock is set',
			],
		},
	},
	{
		clause: '2.5.5',
		topic: 'exclusion',
		kind: 'account',
		requirement: 'A self-exclusion holds at once.',
		state: 'held',
		reason: 'All doors close with the answer, in every account of the person, and unmatched bets are cancelled.',
		places: [PROTECTION, 'src/server/people/persons/doors.ts'],
		tests: {
			'test/funds/attacks.test.ts': ['are excluded in every account, and unmatched bets in each are cancelled'],
			'test/persons/doors.test.ts': ['all doors answer alike, and at once, whatever the bar'],
		},
	},
	{
		clause: '2.5.5',
		topic: 'cleared balance',
		kind: 'wallet',
		requirement: 'An excluded player can withdraw a cleared balance.',
		state: 'held',
		reason: 'No bar closes the way out. Tests withdraw in a time-out and an exclusion, and from a closed account.',
		places: [PROTECTION],
		tests: {
			[PROTECTION_TEST]: [
				'leave the way out open: an excluded player withdraws the cleared balance, and it is paid',
				'takeTimeOut: success, no bets, rounds or deposits, on any login, and withdrawing stays possible',
			],
			'test/browser/rewards-and-limits.test.ts': [
				'closing needs the password, is confirmed, and leaves withdrawing open',
			],
		},
	},
	{
		clause: '2.5.6',
		topic: 'deposits',
		kind: 'wallet',
		requirement: 'A deposit can be used when it was authorised, and not before.',
		state: 'held',
		reason: 'The provider’s word or an operator’s approval credits it, once.',
		places: ['src/server/money/funds/machines/payment.ts', 'src/server/money/funds/machines/deposit.ts'],
		tests: {
			'test/calls/payment.test.ts': [
				'generatePayment: success, a link and a QR code, credited at the provider’s word',
				'refuses webhooks that are forged, old or unreadable, and stores none of them',
			],
			'test/calls/deposit-withdrawal.test.ts': [
				'createDeposit: success, read by OCR and credited when an operator approves',
			],
		},
	},
	{
		clause: '2.5.6',
		topic: 'transfers',
		kind: 'wallet',
		requirement: 'Players cannot transfer money to one another.',
		state: 'held',
		reason:
			'A transfer names one wallet, so no act moves money between two. Bets that are lost on purpose are watched, as A.7.3 asks.',
		places: ['src/engine/transfer.ts', 'src/server/operators/suspicious-matches.ts'],
		tests: {
			[TRANSFER_TEST]: [
				'moves nothing of another player, whatever accounts and owners its moves name',
				'moves money between the accounts of a wallet and the house, and posts each move under its key',
			],
		},
	},
	{
		clause: '2.5.6',
		topic: 'below zero',
		kind: 'wallet',
		requirement: 'A balance is never negative, but by a chargeback.',
		state: 'part',
		reason:
			'No bet, round or withdrawal brings cash below zero. Reversals, voided hedges and non-runners can: the requirement names chargebacks alone.',
		places: ['src/kernel/judge.ts', 'src/engine/transfer.ts'],
		tests: {
			[TRANSFER_TEST]: [
				'refuses what the balances do not allow in any of its moves, and changes nothing',
				'leaves cash below zero only by a correction, which later money makes good',
			],
			'test/calls/bet.test.ts': ['placeBetV2: success, of 100 parallel bets with money for one, exactly one is placed'],
		},
	},
	{
		clause: '2.5.7',
		topic: 'append-only',
		kind: 'wallet',
		requirement: 'Transactions are added and never changed.',
		state: 'held',
		reason: 'Every row of a batch is sealed in a keyed chain; the audit names a row that was edited, added or removed.',
		places: ['src/server/exchange/ledger/seal-batch.ts', 'tools/audit-seals.ts'],
		tests: {
			'test/ledger/seals.test.ts': [
				'of %s (%s), by its %s',
				'a removed or added row of %s is named (%s)',
				'that rewrites the entries and the chain',
				'that removes an entry with its row',
				'that adds a batch sealed with another key',
			],
		},
		evidence: 'npm run audit',
	},
	{
		clause: '2.5.7',
		topic: 'statement',
		kind: 'wallet',
		requirement: 'A player sees a statement of all transactions on demand.',
		state: 'held',
		reason: 'The statement has every row with the balance after it, over any time, as page and file.',
		places: [
			'src/server/calls/transaction.ts',
			'src/server/money/funds/money-rows.ts',
			'src/server/calls/statement-rows.ts',
		],
		tests: {
			'test/calls/bet-record.test.ts': [
				'getTransactionHistory: success, the rows sum to the balance and each has the balance after it',
			],
		},
	},
	{
		clause: '2.6.2',
		topic: 'version shown',
		kind: 'game',
		requirement: 'The client shows its version and build.',
		state: 'held',
		reason: 'The build writes version and digest of its source into the pages, and /ready says those of the server.',
		places: ['src/server/platform/machine/release-version.ts', 'tools/version-mark.ts'],
		tests: {
			'test/browser/support.test.ts': [
				'stands on pages that name the version of the program: the menu of the site and the rail of the console, like the server',
			],
			'test/start/release-version.test.ts': [
				'is the package’s version with a digest that each change of the source changes, and nothing else',
			],
		},
	},
	{
		clause: '2.6.4',
		topic: 'lost connection',
		kind: 'game',
		requirement: 'Play is blocked while the connection is lost.',
		state: 'held',
		reason: 'The page says that the line is down and takes no bets; a round is a request that the server answers once.',
		places: [
			'src/web/live/market-now.ts',
			'src/web/features/frame/connection-strip.tsx',
			'src/web/features/casino/use-bet-requests.ts',
		],
		tests: {
			'test/web/market-now.test.ts': [
				'takes bets while the line confirms the prices, and none once the connection is lost',
				'takes none once the line is silent for longer than the stated age, until a heartbeat confirms the prices',
			],
			'test/browser/hub-lines.test.ts': [
				'a lost connection is shown, moves nothing, takes no bets, and its banner goes when the server is back',
			],
			'test/browser/slip.test.ts': ['a disabled button shows the reason, and its action for later'],
			'test/browser/casino.test.ts': ['a lost answer is requested again, and nothing is staked twice'],
		},
	},
	{
		clause: '2.6.5(g)',
		topic: 'no logic in the client',
		kind: 'game',
		requirement: 'The client decides no outcome.',
		state: 'held',
		reason: 'The server draws from a seed that the browser learns when it is no longer in use.',
		places: ['src/server/money/casino/player-seeds.ts', 'src/server/money/casino/rounds.ts'],
		tests: {
			'test/calls/casino.test.ts': [
				'getRound: success, with the commitment alone while the seeds are in use',
				'reveals no seed of a later round, when both are requested at once',
			],
		},
	},
	{
		clause: '2.6.9',
		topic: 'rules',
		kind: 'game',
		requirement: 'The rules can be read from the client.',
		state: 'held',
		reason: 'The rules have a page, also for visitors, and each game shows its pay table.',
		places: ['src/web/features/rules/rules-screen.tsx', 'src/web/features/casino/pay-table.tsx'],
		tests: {
			'test/web/rules-page.test.ts': [
				'every game has its own rules and those of the house below it, and Crash tells what a slow line costs',
			],
			'test/browser/visitors.test.ts': [
				'shows the market, what is in play and the rules, and asks for a login elsewhere',
			],
		},
	},
	{
		clause: '2.6.9',
		topic: 'protection',
		kind: 'game',
		requirement: 'The player’s protection can be reached from the client.',
		state: 'held',
		reason: 'The account menu and the foot of each page lead to the page of limits and breaks.',
		places: [
			'src/web/features/frame/account-menu.tsx',
			'src/web/features/brand/site-footer.tsx',
			'src/web/features/protection/protection-screen.tsx',
		],
		tests: {
			'test/web/account-menu.test.ts': ['the menu of %s leads to the limits, to the rules and to the log-out'],
			'test/web/brand-frame.test.ts': ['the foot of every page links to the limits and to the rules'],
			'test/browser/rewards-and-limits.test.ts': [
				'a lower limit counts at once, a higher one after a day and a confirmation',
				'after the chosen time the site shows its length and the result',
			],
		},
	},
	{
		clause: '2.7.2',
		topic: 'location first',
		kind: 'security',
		requirement: 'The player’s location is known before play.',
		state: 'part',
		reason:
			'The pool REAL asks for a country, by a file of addresses where the profile says so. Nothing finer is known, and play money asks for none.',
		places: ['src/server/people/players/address-countries.ts', REAL_MONEY],
		tests: {
			[REAL_MONEY_TEST]: [REAL_MONEY_OPENS, 'believes no country that a client writes itself'],
			'test/funds/location.test.ts': [
				'lets real money in from the brand’s countries alone, and from no address that hides its country or is unknown',
				'takes over a file that is replaced, and closes real money while it is missing or broken',
			],
		},
	},
	{
		clause: '2.7.3',
		topic: 'location again',
		kind: 'security',
		requirement: 'The location is checked again when the address changes, and every 30 minutes.',
		state: 'held',
		reason:
			'Each bet, round and deposit of real money is checked by the address of its own request. A stake at a provider is checked by the player’s last request, which is old after the time of the profile.',
		places: ['src/server/calls/answer-calls.ts', 'src/server/people/players/login-store.ts'],
		tests: {
			'test/funds/location.test.ts': [
				'asks a provider’s game for the place of the player’s last request, which is old after half an hour',
			],
		},
	},
	{
		clause: '2.7.4',
		topic: 'proxies',
		kind: 'security',
		requirement: 'Proxies and virtual machines that hide a location are recognized.',
		state: 'part',
		reason:
			'An address that the file of addresses marks as hiding its user has no country. Virtual machines and remote desktops are not recognized.',
		places: ['src/server/people/players/address-countries.ts'],
		tests: {
			'test/funds/location.test.ts': [
				'lets real money in from the brand’s countries alone, and from no address that hides its country or is unknown',
			],
		},
	},
];
