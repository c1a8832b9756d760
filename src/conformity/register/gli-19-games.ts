/** GLI-19, chapters 3 and 4: what is drawn, and the games that it decides. */
import type { Requirement } from '#conformity/requirement.ts';

const FAIR_DRAW = 'src/games/fair-draw.ts';
const FAIR_DRAW_TEST = 'test/games/fair-draw.test.ts';
const RETURNS_TEST = 'test/games/exact-returns.test.ts';
const SEEDS = 'src/server/money/casino/player-seeds.ts';
const OUTCOME_ACCESS = 'src/server/money/casino/outcome-access.ts';
const OUTCOME_ACCESS_TEST = 'test/games/outcome-access.test.ts';
const SEEDS_TEST = 'test/games/player-seeds.test.ts';
const LEFT_ROUNDS = 'src/server/money/casino/left-rounds.ts';
const LEFT_ROUNDS_TEST = 'test/calls/left-rounds.test.ts';
const CASINO_TEST = 'test/calls/casino.test.ts';
const ALL_GAMES = 'src/games/all-games.ts';

export const GLI_19_GAMES: readonly Requirement[] = [
	{
		clause: '3.2',
		topic: 'reviewable',
		kind: 'game',
		requirement: 'Draw, scaling and shuffle can be reviewed.',
		state: 'held',
		reason: 'They are short pure functions, and a tool computes any draw from its seeds.',
		places: [FAIR_DRAW, 'src/games/seeded-words.ts'],
		tests: {
			[FAIR_DRAW_TEST]: ['have the words of the seed stream', 'have the cards of an endless shoe'],
			'test/games/fair-tool.test.ts': ['draws from seeds'],
		},
		evidence: 'npm run fair -- draw',
	},
	{
		clause: '3.3',
		topic: 'battery',
		kind: 'game',
		requirement: 'Draws pass a battery of statistical tests at 99 %.',
		state: 'held',
		reason:
			'Eleven tests after Knuth read every generator, and rounds of every game are compared with the exact chances and with each other, at 99 % over all of them. Ten planted faults are found, and each test finds one. No laboratory repeated it.',
		places: ['tools/conformity/battery/stream-tests.ts', 'src/games/fair-draw.ts'],
		tests: {
			'test/conformity/battery.test.ts': [
				'finds that %s',
				'needs every test that it has: each finds a planted fault',
				'finds nothing in sound streams, whose figures are spread evenly',
				'finds nothing in the generators of the house',
				'finds nothing in the rounds of any game whose bets the deal decides, and leaves out the others',
			],
		},
		evidence: 'npm run conformity -- --pack FOLDER',
	},
	{
		clause: '3.3',
		topic: 'no bias',
		kind: 'game',
		requirement: 'Scaling favours no result.',
		state: 'held',
		reason: 'Draws are counted over all words, and the measure rejects a remainder.',
		places: [FAIR_DRAW],
		tests: {
			[FAIR_DRAW_TEST]: [
				'of %i, counted over all 16-bit words',
				'and the same measure rejects a remainder of 16-bit words',
			],
		},
	},
	{
		clause: '3.3',
		topic: 'seeding',
		kind: 'game',
		requirement: 'Seeds do not follow from the time, and cannot be foreseen.',
		state: 'held',
		reason:
			'A server seed follows from a secret key and a counter, and only its hash is public while it is in use. The key is made of chance, or is named and refused if it could be guessed. A chain begins with chance.',
		places: [SEEDS, 'src/server/platform/keys/kept-token-key.ts', 'src/server/money/casino/tables/hash-chain.ts'],
		tests: {
			'test/games/seed-sources.test.ts': [
				'the key of a first start is made of chance, is read by nobody else, and decides every server seed',
				'chains that are made at one instant have nothing in common',
			],
			'test/start/config.test.ts': ['in production, a TOKEN_KEY that could be guessed is refused: %s'],
			[FAIR_DRAW_TEST]: ['is the hash of the server seed, and no round is computed from the hash'],
			[CASINO_TEST]: ['reveals no seed of a later round, when both are requested at once'],
		},
	},
	{
		clause: '3.3',
		topic: 'outside entropy',
		kind: 'game',
		requirement: 'Fresh entropy from outside takes part at intervals.',
		state: 'held',
		reason:
			'Each pair takes a client seed that its player gives. Each shared round takes a value of a public beacon from after the last bet, and its chain another one from after its announcement.',
		places: [SEEDS, 'src/server/money/casino/beacon/drand-beacon.ts', 'src/games/shared-result.ts'],
		tests: {
			'test/games/beacon-rounds.test.ts': [
				'announces a value that is out after the last bet, and pays by it',
				'has a chain whose salt is a value from after its announcement',
				'stores no bet of real money that a local beacon would decide',
			],
			[SEEDS_TEST]: ['cannot begin the pair with another client seed than the player’s'],
			'test/games/crash.test.ts': ['depends on the hash, the salt and each seed in its place'],
		},
	},
	{
		clause: '4.2',
		topic: 'entry screen',
		kind: 'game',
		requirement: 'The entry screen of a game advertises no top award that cannot be won.',
		state: 'held',
		reason:
			'The lobby names real wins of the day alone, and no screen of a game names a multiple that none of its bets wins. Games of providers advertise what their provider writes.',
		places: [
			'src/web/features/casino/lobby-screen.tsx',
			'src/web/features/casino/game-screen.tsx',
			'src/server/money/casino/live-figures.ts',
		],
		tests: {
			'test/browser/casino-scenes.test.ts': ['no screen of a game names a multiple that none of its bets can win'],
			[CASINO_TEST]: ['names the largest win of the day in the caller’s pool alone, and a restart finds it again'],
		},
	},
	{
		clause: '4.3',
		topic: 'stake leaves',
		kind: 'wallet',
		requirement: 'A stake leaves the balance as the round begins.',
		state: 'held',
		reason: 'Stake and round are one step of the ledger.',
		places: ['src/server/money/casino/rounds.ts'],
		tests: {
			[CASINO_TEST]: ['playRound: success, stake and payout move at once and the answer is durable'],
			'test/calls/crash.test.ts': [
				'placeCrashBet: success, two slots of one player in one round, and the stakes are taken',
			],
		},
	},
	{
		clause: '4.3.3e',
		topic: 'one game',
		kind: 'game',
		requirement: 'A player plays one game at a time.',
		state: 'held',
		reason:
			'Where the profile asks for it, a round of another game is refused while one is open, of providers too. Rounds of before end as they began.',
		places: ['src/server/calls/profile-stakes.ts', 'src/server/exchange/order/workflows.ts'],
		tests: {
			'test/calls/profile-games.test.ts': [
				'opens no second game beside an open round, of the house or of a provider, and lets rounds of before end',
				'has one game open at most, whatever is asked for at once, seed %s',
			],
		},
	},
	{
		clause: '4.4.1',
		topic: 'largest win',
		kind: 'game',
		requirement: 'The rules state the largest win.',
		state: 'held',
		reason: 'Below each pay table the rules say it in the currency of the player, and no chips can win more.',
		places: [
			'src/games/house-rules.ts',
			'src/web/features/casino/pay-table.tsx',
			'src/server/money/casino/stake-limits.ts',
		],
		tests: {
			'test/games/round-limits.test.ts': [
				'$name says what holds for its rounds',
				'no chips of a player win more than a round pays, and what is at risk is the largest loss',
			],
		},
	},
	{
		clause: '4.4.1',
		topic: 'durations',
		kind: 'game',
		requirement: 'The rules state how long the parts of a round last.',
		state: 'held',
		reason:
			'The rules of a table state the time for bets, the longest dealing and the pause, those of Crash the time for bets, and those of games with turns when a round that was left ends. Other rounds are decided at once.',
		places: ['src/games/house-rules.ts', 'src/games/tables/table-times.ts'],
		tests: {
			'test/games/round-limits.test.ts': ['$name says what holds for its rounds'],
			'test/games/tables.test.ts': ['shows its outcome in steps of rising time, the last one whole'],
		},
	},
	{
		clause: '4.4.4a',
		topic: 'future outcomes',
		kind: 'security',
		requirement: 'Outcomes that are known before their bets are encrypted.',
		state: 'held',
		reason: 'A chain is stored encrypted. A player’s server seed is stored when it is revealed, and not before.',
		places: [SEEDS, 'src/server/money/casino/tables/hash-chain.ts'],
		tests: {
			[OUTCOME_ACCESS_TEST]: ['stores neither a hash nor a server seed in the clear while it is secret'],
			'test/calls/crash.test.ts': ['keeps the hash of a round secret until it has crashed, and shows it then'],
			'test/funds/retention.test.ts': [
				'keeps the second factors of staff and the chain of a table over a change of the key',
			],
		},
	},
	{
		clause: '4.4.4a',
		topic: 'access logged',
		kind: 'log',
		requirement: 'Each access to outcomes that are known before is logged.',
		state: 'held',
		reason:
			'The journal has an entry before a process reads hashes of rounds to come, a hundred at most, or the server seed of a pair; without it no round is played. No person can read them by this software: no call shows them, and the database has them encrypted or not at all. Who holds the database and its keys, too, is outside.',
		places: [OUTCOME_ACCESS, 'src/server/money/casino/tables/hash-chain.ts', SEEDS],
		tests: {
			[OUTCOME_ACCESS_TEST]: [
				'enters that it is made, and the hundred rounds that are read together, each before its hash is known',
				'is not read where the entry is refused',
				'has entered each hash and each pair that it read, which operators find in the journal',
				'shows no operator a hash or a server seed while it is secret',
				'plays no round while the journal takes no entry, and goes on when it does',
				'is found by the audit where a round was read without an entry',
			],
		},
		evidence: 'npm run operator -- journal --act outcomes-read',
	},
	{
		clause: '4.5.2',
		topic: 'independent',
		kind: 'game',
		requirement: 'A round does not depend on the rounds before it.',
		state: 'held',
		reason: 'Each nonce has words of its own.',
		places: ['src/games/seeded-words.ts'],
		tests: {
			[FAIR_DRAW_TEST]: ['leaves every nonce and client seed its own words'],
			'test/games/crash.test.ts': [
				'does not follow from what is published before: the hash of the round before is its digest',
			],
		},
	},
	{
		clause: '4.5.2',
		topic: 'not adaptive',
		kind: 'game',
		requirement: 'No game changes its chances by what was staked or won.',
		state: 'held',
		reason: 'An outcome is a function of seeds and choices; the verifier computes it without the ledger.',
		places: ['src/games/round-result.ts'],
		tests: {
			'test/calls/tables.test.ts': ['placeTableBet: success at each table, and a verifier finds what was paid'],
			[SEEDS_TEST]: ['cannot skip a nonce whose result it does not like, nor play one twice'],
		},
	},
	{
		clause: '4.6.1',
		topic: 'near miss',
		kind: 'game',
		requirement: 'A losing outcome is not dressed up as one that nearly won.',
		state: 'held',
		reason:
			'The picture of a round is the drawn outcome, at a table step by step, and no text calls a lost round one that was nearly won.',
		places: ['src/web/features/casino/games', 'src/web/texts/en/casino.ts'],
		tests: {
			'test/web/casino-words.test.ts': ['no game %s'],
			'test/browser/casino-scenes.test.ts': [
				'the picture of a round is the outcome that was drawn, won or lost',
				'the mines that a round ends with are those that were drawn',
				'the cards of a round are those that were drawn, in their order',
			],
			'test/games/tables.test.ts': [
				'shows its outcome in steps of rising time, the last one whole',
				'knows its published outcome by its cards, not by the order of its fields',
			],
		},
	},
	{
		clause: '4.6.1',
		topic: 'no false skill',
		kind: 'game',
		requirement: 'A game of chance does not look like one of skill.',
		state: 'held',
		reason:
			'A game without decisions has one button, its outcome depends on the draws alone, and no text speaks of skill. Games with decisions say what the best and the worst play return.',
		places: ['src/games/game.ts', 'src/games/turns/blackjack.ts', 'src/games/turns/mines.ts'],
		tests: {
			[RETURNS_TEST]: ['Mines: whatever number of fields a player opens, 96.25% to 97%'],
			'test/web/casino-words.test.ts': [
				'no game without decisions speaks of skill, and its outcome depends on the draws alone',
			],
		},
	},
	{
		clause: '4.6.4',
		topic: 'true odds',
		kind: 'game',
		requirement: 'Simulated cards, dice and wheels have the odds of the real ones.',
		state: 'held',
		reason: 'Their bets are counted over all outcomes.',
		places: [ALL_GAMES],
		tests: {
			[RETURNS_TEST]: [
				'of $name return the figures of third parties',
				'Lucky 7, Roulette, Wheel and Coin Flip',
				'Baccarat, over all values of six cards',
			],
		},
		evidence: 'npm run fair -- games',
	},
	{
		clause: '4.6.4',
		topic: 'latency told',
		kind: 'game',
		requirement: 'Where speed decides, the player is told that a slow line is a disadvantage.',
		state: 'held',
		reason: 'The rules of Crash say it, and that a target does not depend on the line.',
		places: ['src/games/crash/crash.ts', 'src/web/features/casino/pay-table.tsx'],
		tests: {
			'test/web/rules-page.test.ts': [
				'every game has its own rules and those of the house below it, and Crash tells what a slow line costs',
			],
			'test/browser/profile.test.ts': [
				'tells below Crash that a slow line is a disadvantage, and links from the home page to the limits',
			],
		},
	},
	{
		clause: '4.7',
		topic: 'least return',
		kind: 'game',
		requirement: 'Each game returns 75 % or more by best play.',
		state: 'held',
		reason: 'The exact return of each bet is tested, and that of the worst play.',
		places: [ALL_GAMES],
		tests: {
			[RETURNS_TEST]: [
				'no bet of a game, played best, returns less than three quarters',
				'of $name return the figures of third parties',
				'games whose bets are chosen freely have none with another return than the worst that is shown',
				'Blackjack: best play, rounded down to millionths',
			],
		},
		evidence: 'npm run fair -- games',
	},
	{
		clause: '4.7',
		topic: 'top award',
		kind: 'game',
		requirement: 'The top award is likelier than 1 in 100 million, or its odds are shown.',
		state: 'held',
		reason: 'The rarest prize of every bet that is listed is likelier.',
		places: ['src/games/all-games.ts'],
		tests: {
			'test/games/exact-returns.test.ts': [
				'no listed prize is rarer than one in a hundred million',
				'Keno, by how many picks are drawn',
				'Plinko, over all paths of sixteen rows',
			],
		},
	},
	{
		clause: '4.9.1',
		topic: 'same odds',
		kind: 'game',
		requirement: 'Free play has the odds of play for money.',
		state: 'held',
		reason: 'A definition knows no pool, and all pools share the rounds of tables and Crash.',
		places: [ALL_GAMES, 'src/server/money/casino/rounds.ts'],
		tests: {
			'test/funds/free-play.test.ts': [
				'a round of demo coins, and one of real money, has the outcome and the payout that its seeds and the game alone give',
			],
			'test/games/simulated-returns.test.ts': ['%s returns what its pay table says, within four standard errors'],
		},
	},
	{
		clause: '4.9.1',
		topic: 'marked',
		kind: 'game',
		requirement: 'Free play is marked, and touches no money.',
		state: 'held',
		reason: 'Pools never meet, and pages of demo players say that coins are demo coins.',
		places: ['src/values/pools.ts', 'src/ui/demo-coins.tsx'],
		tests: {
			'test/browser/rewards-and-limits.test.ts': [
				'a demo player walks deposit, withdrawal, bonuses and referral, each marked as demo coins',
			],
			'test/engine/market-life.test.ts': [
				'have books of their own in one market',
				'of real money are granted no coins',
			],
		},
	},
	{
		clause: '4.11.1',
		topic: 'house players',
		kind: 'betting',
		requirement: 'Players of the house are marked, and never play unmarked for real money.',
		state: 'part',
		reason:
			'An engine of real money has no wallet of the house, which neither quotes nor takes there. In play money a badge says once that the other players are simulated, and no bet is marked.',
		places: ['src/server/world/markets/market-pools.ts'],
		tests: {
			'test/operator/house-wallets.test.ts': [
				'an engine of real money has no player of the house: it opens no market against the house, and grants the house nothing',
			],
		},
	},
	{
		clause: '4.14.1',
		topic: 'recall',
		kind: 'game',
		requirement: 'A player can see past rounds again.',
		state: 'held',
		reason: 'All rounds of the player are listed, each with its result and its proof.',
		places: ['src/web/features/casino/rounds-screen.tsx', 'src/server/money/casino/rounds.ts'],
		tests: {
			[CASINO_TEST]: ['getRounds: success, newest first, by game and by page'],
			'test/browser/casino.test.ts': [
				'the last rounds of a game stay above it, the newest first, and each opens what proves it',
			],
		},
	},
	{
		clause: '4.15',
		topic: 'off at an error',
		kind: 'game',
		requirement: 'A game that finds an error stops.',
		state: 'held',
		reason:
			'A shared game that finds an error takes no more bets and is an alarm, and others go on; its round is settled or refunded by the next start. A broken invariant of the ledger ends the process.',
		places: [LEFT_ROUNDS, 'src/server/money/casino/tables/shared-table.ts'],
		tests: {
			'test/games/faulty-game.test.ts': ['a game whose chain cannot be read plays no round, and other games do'],
			'test/games/crash-kills.test.ts': [
				'settles every bet once and within its round, kills in a row of server and database in every phase',
			],
		},
	},
	{
		clause: '4.15',
		topic: 'deviating return',
		kind: 'game',
		requirement: 'A game whose actual return leaves its bounds is switched off or looked at.',
		state: 'held',
		reason:
			'The share of each prize over all rounds is an alarm where luck does not explain it. The report shows the bound beside the return of a period.',
		places: ['src/server/money/casino/deviating-bets.ts', 'src/server/operators/casino-acts.ts'],
		tests: {
			'test/games/deviating-bets.test.ts': [
				'a coin that falls on one side too often is an alarm that names its bets, whichever side it is',
				'a rare prize is luck once, and not three times; a sure one that fails once is no luck',
			],
			'test/operator/reports.test.ts': [
				'shows what its games took and paid, beside the exact return and how far luck goes',
			],
		},
	},
	{
		clause: '4.16',
		topic: 'interrupted games',
		kind: 'game',
		requirement: 'An interrupted round is resumed, settled or refunded by a published rule.',
		state: 'held',
		reason: 'A round that was left is ended by its game’s rule a day later, over restarts.',
		places: [LEFT_ROUNDS, 'src/games/abandoned-round.ts'],
		tests: {
			[LEFT_ROUNDS_TEST]: [
				'a day after the last decision a cashable round is cashed out, another hand stands, and an untouched stake goes back',
				'a server that starts later ends what was left before',
			],
			'test/games/shared-rounds.test.ts': [
				'takes no bet after the lock, pays each once by its round, and a restart refunds or settles it',
			],
		},
	},
];
