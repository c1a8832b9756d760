/** `npm run operator -- …`: the operators' acts from the command line, against the running server. */
import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { defaultDataDir } from '#server/platform/postgres/data-folder.ts';

const HELP = `npm run operator -- ACT …

  create-player NAME [--password WORD] [--host HOST]   makes a player; prints the password it chose when none is given
  add-money NAME AMOUNT [--host HOST]                  gives play money, in rupees: add-money anna 5000
  outbox                                               the latest text messages to players, one-time codes among them
  create-client NAME REDIRECT [--host HOST] [--ends-with-login]
                                                       a back end that may exchange authorization codes; prints its secret;
                                                       --ends-with-login ends its tokens with the player's log-out
  player-limits NAME [--max-stake N] [--max-profit N] [--max-exposure N] [--host HOST]
                                                       the player's own limits in rupees; what is left out has none
  markets                                              every market with its state and runners
  stream EVENT [ADDRESS]                               an HLS stream to watch it by; without an address, none
  abandon EVENT                                        play is over early: each open market ends by its kind's rule for that
  open-market EVENT NAME --type TYPE --runners 'India, Nepal' [--delay SECONDS] [--commission PER-CENT] [--rules TEXT]
              [--min-stake N] [--max-stake N] [--places N] [--divisor N] [--handicap -0.75] [--lines 150.5:250.5:1]
                                                       a market no feed opens; you suspend, close and settle it yourself.
                                                       MATCH_ODDS and most others take runners; PLACE places, EACH_WAY
                                                       places and a divisor, OVER_UNDER and ASIAN_HANDICAP a handicap,
                                                       LINE the first line, the last and the interval
  suspend MARKET [--lapse] [--ball-running]            no bets; --lapse takes what is unmatched off the book
  resume MARKET       turn-in-play MARKET              close MARKET
  remove-runner MARKET --runner RUNNER --reduction 16.2
                                                       voids its bets, reduces the others' prices by that per cent
  return-runner MARKET --runner RUNNER                 it takes part after all
  settle MARKET --winner RUNNER [--winner …] [--placed RUNNER …] [--tied RUNNER …] [--void RUNNER …]
         [--places N]                                  pays it; RUNNER is a name or an id; --placed is for each way;
                                                       --places where fewer places are paid than were announced
  settle MARKET --value N                              pays a market on lines, or a fancy, by the number that came
  void-bets MARKET [--bet ID] [--runner RUNNER] [--from TIME] [--to TIME]
                                                       takes those matches back, on both sides
  reopen MARKET                                        takes its payment back; settle or void it then
  suspend-runner MARKET --runner RUNNER                no bets on that runner; resume-runner ends it
  void MARKET                                          returns every stake

  staff list          staff add NAME --roles 'owner, trader' [--brands 'royal.example']
                                                       members of staff, who use the console; add prints the password
  staff remove NAME   staff password NAME              sessions end at once; password prints a new one
  staff link NAME USER_NAME [--host HOST]              this account is the member's own: the member decides nothing about it
  staff unlink NAME USER_NAME [--host HOST]            it is not

  domain list         domain show HOST                 every domain; all of one's setting ("default" for default.json)
  domain set HOST FIELD VALUE                          at once: domain set royal.localhost siteSuspended true,
                                                       domain set royal.localhost themeTokens.brand '#0f766e'
  domain add HOST                                      a new one in play money, with the defaults
  player-sport NAME SPORT on|off [--host HOST]         opens or closes a sport to one player

  standby status                                       each standby: how far behind it is, and what it found to differ
  hand-over                                            a standby that follows goes on in place of this process, without
                                                       a refused call; standby status says how it went

  queue [KIND]        show KIND ID                     what waits for people: payments, deposits, withdrawals, findings …
  approve KIND ID     reject KIND ID --reason TEXT     large ones need a second operator, who approves the same
  decide KIND ID EVENT --reason TEXT                   any other decision of docs/FUNDS.md: credit or refund a PAYMENT in
                                                       review, reverse a DEPOSIT, freeze a WITHDRAWAL, match a FINDING …
  claim KIND ID       release KIND ID                  while you hold it, no other operator decides about it, for ten minutes
  take-over KIND ID --reason TEXT                      ends another operator's claim and begins yours
  dispute PAYMENT open --reason WHY [--amount N]       a chargeback of a payment, of a part or all; show PAYMENT ID names
                                                       its disputes
  dispute DISPUTE won|lost|evidence --reason WHY       two persons end it
  adjust NAME AMOUNT --code CODE --reason TEXT [--host HOST]
                                                       another operator approves it; -100 takes money: adjust -- anna -100
  freeze NAME --reason TEXT [--host HOST]              no bets and no deposits; unfreeze NAME ends it
  verify-identity NAME --age YEARS [--document "passport Z1234567"] [--host HOST]
                                                       you have seen the player's documents; real money needs it; accounts
                                                       of one document share limits, breaks and exclusions
  provider-settlement POOL REFERENCE NET FEE           the payment provider paid what it owed, less its fee
  reconcile POOL FILE --from TIME --to TIME            compares the provider's report (reference,utr,amount) with our orders;
                                                       differences become findings
  reconcile POOL FILE --bank --from TIME --to TIME     the bank's statement (utr,amount; what left is below zero) with receipts,
                                                       withdrawals and settlements of the provider
  reconcile-games PROVIDER DAY FILE                    the report of a provider of games (transaction,paid,received) for a
                                                       day, such as 2026-11-22, with our transactions
  close-round ID --reason TEXT                         ends a round that its provider left open; unpaid stakes go back
  trial-balance POOL [--day 2026-11-22]                every account that holds something, now or at the end of a day
  related ID OTHER_ID                                  how two players are related: by which facts, over which accounts
  bars-on-hints                                        limits and breaks that rest on unproven mobiles
  suspicious-matches --from DAY --to DAY               linked accounts that bet against each other, and what passed;
                                                       others that did so far beside the market
  day-books POOL --from 2026-11-01 --to 2026-11-30     of each day every account's opening, debits, credits and closing
  campaigns [--host HOST]                              the bonuses on offer, with what each has given
  campaign dry-run FILE [--host HOST]                  whom a draft (JSON) would be offered to now, and what it would cost
  campaign draw-up FILE [--host HOST]                  puts it on offer; campaign stop ID takes it off

  --as NAME   who acts, for the journal; otherwise $OPERATOR, or who runs the command
  --url URL   the server, otherwise http://localhost:$PORT (3000)
  A NAME in any script is one word; after -- it may begin with a dash.
  The key comes from TOKEN_KEY, or from the data folder (DATA_DIR) of a server started without one.
`;

interface Ask {
	act: string;
	body: Record<string, unknown>;
	/** Printed with the answer: values that only the command line knows. */
	also?: Record<string, unknown>;
}

interface Options {
	password?: string | undefined;
	host?: string | undefined;
	winner?: string[] | undefined;
	placed?: string[] | undefined;
	value?: string | undefined;
	tied?: string[] | undefined;
	void?: string[] | undefined;
	'ends-with-login'?: boolean | undefined;
	runner?: string | undefined;
	reduction?: string | undefined;
	lapse?: boolean | undefined;
	'ball-running'?: boolean | undefined;
	bet?: string | undefined;
	'max-stake'?: string | undefined;
	'max-profit'?: string | undefined;
	'max-exposure'?: string | undefined;
	from?: string | undefined;
	to?: string | undefined;
	type?: string | undefined;
	runners?: string | undefined;
	places?: string | undefined;
	divisor?: string | undefined;
	handicap?: string | undefined;
	lines?: string | undefined;
	delay?: string | undefined;
	commission?: string | undefined;
	'min-stake'?: string | undefined;
	rules?: string | undefined;
	reason?: string | undefined;
	roles?: string | undefined;
	brands?: string | undefined;
	code?: string | undefined;
	age?: string | undefined;
	document?: string | undefined;
	day?: string | undefined;
	bank?: boolean | undefined;
	amount?: string | undefined;
}

/** The acts on one market by name, each with its input besides the market's id; null when a value is missing. */
function marketAsk(act: string, marketId: string, options: Options): Ask | null {
	const { runner, reduction, winner, placed, tied, lapse, bet, from, to } = options;
	switch (act) {
		case 'suspend':
			return {
				act,
				body: { marketId, ...(lapse ? { lapse } : {}), ...(options['ball-running'] ? { ballRunning: true } : {}) },
			};
		case 'reopen':
		case 'resume':
		case 'turn-in-play':
		case 'close':
		case 'void':
			return { act, body: { marketId } };
		case 'remove-runner':
			return runner && reduction ? { act, body: { marketId, runner, reduction: Number(reduction) } } : null;
		case 'suspend-runner':
		case 'resume-runner':
		case 'return-runner':
			return runner ? { act, body: { marketId, runner } } : null;
		case 'settle':
			if (options.value !== undefined) return { act, body: { marketId, value: Number(options.value) } };
			return winner || tied
				? {
						act,
						body: {
							marketId,
							winners: winner ?? [],
							placed: placed ?? [],
							tied: tied ?? [],
							void: options.void ?? [],
							...(options.places === undefined ? {} : { places: Number(options.places) }),
						},
					}
				: null;
		case 'void-bets':
			return {
				act,
				body: {
					marketId,
					...(bet ? { betId: bet } : {}),
					...(runner ? { runner } : {}),
					...(from ? { from: new Date(from).toISOString() } : {}),
					...(to ? { to: new Date(to).toISOString() } : {}),
				},
			};
		default:
			return null;
	}
}

/** The input of a market that an event gets; null when its type or runners are missing. */
function openMarketAsk(eventId: string, name: string, options: Options): Ask | null {
	const { type, runners, lines, rules } = options;
	if (type === undefined || runners === undefined) return null;
	const [min, max, interval] = (lines ?? '').split(':').map(Number);
	const numbers = {
		places: options.places,
		divisor: options.divisor,
		handicap: options.handicap,
		delaySeconds: options.delay,
		commission: options.commission,
		minStake: options['min-stake'],
		maxStake: options['max-stake'],
	};
	const given = Object.entries(numbers).filter(([, value]) => value !== undefined);
	return {
		act: 'open-market',
		body: {
			eventId,
			name,
			type,
			runners: listed(runners),
			...(lines === undefined ? {} : { lines: { min, max, interval } }),
			...(rules === undefined ? {} : { rules }),
			...Object.fromEntries(given.map(([key, value]) => [key, Number(value)])),
		},
	};
}

function domainAsk(what: string | undefined, host: string | undefined, more: string[]): Ask | null {
	const [field, value] = more;
	if (what === 'list') return { act: 'domain-list', body: {} };
	if (!host) return null;
	if (what === 'show' || what === 'add') return { act: `domain-${what}`, body: { host } };
	return what === 'set' && field && value !== undefined ? { act: 'domain-set', body: { host, field, value } } : null;
}

const listed = (text: string): string[] => text.split(',').map((part) => part.trim());

/** Acts on staff; null when something is missing. */
function staffAsk([what, name, userName]: readonly string[], { roles, brands, host }: Options): Ask | null {
	if (what === 'list') return { act: 'staff-list', body: {} };
	if (!name) return null;
	switch (what) {
		case 'add':
			return roles
				? { act: 'staff-add', body: { name, roles: listed(roles), brands: brands ? listed(brands) : null } }
				: null;
		case 'remove':
			return { act: 'staff-remove', body: { name } };
		case 'password':
			return { act: 'staff-password', body: { name } };
		case 'link':
		case 'unlink':
			return userName ? { act: `staff-player-${what}`, body: { name, userName, ...(host ? { host } : {}) } } : null;
		default:
			return null;
	}
}

/** Decisions about an open dispute. */
const DISPUTES: ReadonlySet<string> = new Set(['won', 'lost', 'evidence']);

/** Acts on what waits for people; null for other acts, and when something is missing. */
function queueAsk([act, first, second, third]: string[], options: Options): Ask | null {
	const reason = options.reason === undefined ? {} : { reason: options.reason };
	const kind = first?.toUpperCase();
	switch (act) {
		case 'queue':
			return { act: 'funds-queue', body: kind ? { kind } : {} };
		case 'show':
			return kind && second ? { act: 'funds-show', body: { kind, id: second } } : null;
		case 'approve':
		case 'reject':
			return kind && second ? { act: 'funds-decide', body: { kind, id: second, event: act, ...reason } } : null;
		case 'decide':
			return kind && second && third
				? { act: 'funds-decide', body: { kind, id: second, event: third, ...reason } }
				: null;
		case 'claim':
		case 'release':
		case 'take-over':
			return kind && second ? { act: `payment-${act}`, body: { kind, id: second, ...reason } } : null;
		case 'dispute':
			if (first && second === 'open') {
				const amount = options.amount === undefined ? {} : { amount: Number(options.amount) };
				return { act: 'funds-decide', body: { kind: 'PAYMENT', id: first, event: 'dispute', ...amount, ...reason } };
			}
			return first && second && DISPUTES.has(second)
				? { act: 'funds-decide', body: { kind: 'DISPUTE', id: first, event: second, ...reason } }
				: null;
		default:
			return null;
	}
}

class UnreadableFile extends Error {}

/** @throws UnreadableFile with a sentence for the operator */
function contentOf(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (cause) {
		throw new UnreadableFile(`The file ${file} cannot be read: ${(cause as Error).message}.`, { cause });
	}
}

/** @throws UnreadableFile with a sentence for the operator */
function jsonOf(file: string): unknown {
	try {
		return JSON.parse(contentOf(file));
	} catch (cause) {
		if (cause instanceof UnreadableFile) throw cause;
		throw new UnreadableFile(`The file ${file} is not JSON: ${(cause as Error).message}.`, { cause });
	}
}

/** Acts on money other than bets; null for other acts, and when something is missing. */
function fundsAsk(words: string[], options: Options): Ask | null {
	const [act, first, second, third, fourth] = words;
	const host = options.host === undefined ? {} : { host: options.host };
	const reason = options.reason === undefined ? {} : { reason: options.reason };
	const kind = first?.toUpperCase();
	switch (act) {
		case 'adjust':
			return first && second && options.code
				? { act, body: { userName: first, amount: Number(second), reasonCode: options.code, ...reason, ...host } }
				: null;
		case 'freeze':
			return first && options.reason ? { act, body: { userName: first, reason: options.reason, ...host } } : null;
		case 'unfreeze':
			return first ? { act: 'freeze', body: { userName: first, reason: null, ...host } } : null;
		case 'verify-identity':
			return first && options.age
				? {
						act,
						body: {
							userName: first,
							age: Number(options.age),
							...(options.document ? { document: options.document } : {}),
							...host,
						},
					}
				: null;
		case 'provider-settlement':
			return kind && second && third && fourth
				? { act, body: { pool: kind, reference: second, net: Number(third), fee: Number(fourth) } }
				: null;
		case 'reconcile':
			return kind && second && options.from && options.to
				? {
						act,
						body: {
							pool: kind,
							report: contentOf(second),
							from: options.from,
							to: options.to,
							...(options.bank ? { source: 'BANK' } : {}),
						},
					}
				: null;
		case 'trial-balance':
			return kind ? { act, body: { pool: kind, ...(options.day ? { day: options.day } : {}) } } : null;
		case 'related':
			return kind && second ? { act, body: { playerId: kind, otherId: second } } : null;
		case 'suspicious-matches':
			return options.from && options.to ? { act, body: { from: options.from, to: options.to } } : null;
		case 'day-books':
			return kind && options.from && options.to
				? { act, body: { pool: kind, from: options.from, to: options.to } }
				: null;
		case 'campaigns':
			return { act, body: host };
		case 'campaign':
			return campaignAsk(first, second, host);
		default:
			return queueAsk(words, options);
	}
}

/** Acts on what providers of games left undone; null for other acts, and when something is missing. */
function gamesAsk([act, first, day, file]: string[], { reason }: Options): Ask | null {
	if (act === 'close-round') return first && reason ? { act: 'round-close', body: { id: first, reason } } : null;
	if (act !== 'reconcile-games' || !first || !day || !file) return null;
	return { act, body: { provider: first, day, report: contentOf(file) } };
}

/** A draft is a file with the campaign as JSON. */
function campaignAsk(what: string | undefined, named: string | undefined, host: object): Ask | null {
	if (!named) return null;
	if (what === 'stop') return { act: 'campaign-stop', body: { id: named, ...host } };
	if (what !== 'dry-run' && what !== 'draw-up') return null;
	return { act: `campaign-${what}`, body: { campaign: jsonOf(named), ...host } };
}

function askOf(words: string[], options: Options): Ask | null {
	const ofMoney = fundsAsk(words, options) ?? gamesAsk(words, options);
	if (ofMoney) return ofMoney;
	const [act, first, second, ...more] = words;
	const host = options.host === undefined ? {} : { host: options.host };
	switch (act) {
		case 'markets':
		case 'bars-on-hints':
		case 'outbox':
		case 'hand-over':
			return { act, body: {} };
		case 'standby':
			return first === 'status' ? { act: 'standby-status', body: {} } : null;
		case 'create-client':
			return first && second
				? {
						act,
						body: { name: first, redirectUri: second, endsWithLogin: options['ends-with-login'] ?? false, ...host },
					}
				: null;
		case 'stream':
			return first ? { act, body: { eventId: first, ...(second ? { address: second } : {}) } } : null;
		case 'open-market':
			return first && second ? openMarketAsk(first, second, options) : null;
		case 'abandon':
			return first ? { act, body: { eventId: first } } : null;
		case 'staff':
			return staffAsk(words.slice(1), options);
		case 'domain':
			return domainAsk(first, second, more);
		case 'player-sport': {
			const [state] = more;
			if (!first || !second || (state !== 'on' && state !== 'off')) return null;
			return { act, body: { userName: first, sport: second, allowed: state === 'on', ...host } };
		}
		case 'create-player': {
			if (!first) return null;
			const password = options.password ?? randomBytes(9).toString('base64url');
			return {
				act,
				body: { userName: first, password, ...host },
				also: options.password === undefined ? { password } : {},
			};
		}
		case 'add-money':
			if (!first || !/^\d+(\.\d{1,2})?$/.test(second ?? '')) return null;
			return {
				act,
				body: { userName: first, amount: Number(second), grantId: Date.now() * 1000 + randomInt(1000), ...host },
			};
		case 'player-limits':
			return first
				? {
						act,
						body: {
							userName: first,
							maxStake: Number(options['max-stake'] ?? 0),
							maxProfit: Number(options['max-profit'] ?? 0),
							maxExposure: Number(options['max-exposure'] ?? 0),
							...host,
						},
					}
				: null;
		default:
			return act && first ? marketAsk(act, first, options) : null;
	}
}

/** Where lines are printed. */
type Output = Pick<Console, 'log' | 'error'>;

async function send(ask: Ask, to: { url: string; key: string; operator: string; output: Output }): Promise<number> {
	const { url, key, operator, output } = to;
	let response: Response;
	try {
		response = await fetch(`${url}/operator/api/${ask.act}`, {
			method: 'POST',
			headers: {
				Authorization: `Operator ${key}`,
				'Content-Type': 'application/json',
				'X-Operator': encodeURIComponent(operator),
			},
			body: JSON.stringify(ask.body),
		});
	} catch {
		output.error(`No server answers at ${url}. Start it, or name another with --url.`);
		return 1;
	}
	const answer = (await response.json()) as {
		success: boolean;
		result: unknown;
		error: { code: string; message: string; details: object } | null;
	};
	if (!answer.success) {
		const hint = response.status === 401 ? ' Is TOKEN_KEY or DATA_DIR the server’s?' : '';
		output.error(`${answer.error?.code}: ${answer.error?.message}${hint} ${JSON.stringify(answer.error?.details)}`);
		return 1;
	}
	const rows = Array.isArray(answer.result) ? answer.result : [answer.result];
	for (const row of rows) output.log(JSON.stringify({ ...row, ...ask.also }));
	return 0;
}

/**
 * One act, as its words say.
 * @param words of the command line, without the program
 * @returns the exit code
 * @throws TypeError for options that are unknown or lack their value
 */
export async function run(words: string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
	const { values, positionals } = parseArgs({
		args: words,
		allowPositionals: true,
		options: {
			help: { type: 'boolean' },
			password: { type: 'string' },
			host: { type: 'string' },
			'ends-with-login': { type: 'boolean' },
			winner: { type: 'string', multiple: true },
			placed: { type: 'string', multiple: true },
			value: { type: 'string' },
			tied: { type: 'string', multiple: true },
			void: { type: 'string', multiple: true },
			runner: { type: 'string' },
			reduction: { type: 'string' },
			lapse: { type: 'boolean' },
			'ball-running': { type: 'boolean' },
			bet: { type: 'string' },
			'min-stake': { type: 'string' },
			'max-stake': { type: 'string' },
			'max-profit': { type: 'string' },
			'max-exposure': { type: 'string' },
			from: { type: 'string' },
			to: { type: 'string' },
			type: { type: 'string' },
			runners: { type: 'string' },
			places: { type: 'string' },
			divisor: { type: 'string' },
			handicap: { type: 'string' },
			lines: { type: 'string' },
			delay: { type: 'string' },
			commission: { type: 'string' },
			rules: { type: 'string' },
			reason: { type: 'string' },
			roles: { type: 'string' },
			brands: { type: 'string' },
			code: { type: 'string' },
			age: { type: 'string' },
			document: { type: 'string' },
			day: { type: 'string' },
			bank: { type: 'boolean' },
			amount: { type: 'string' },
			as: { type: 'string' },
			url: { type: 'string' },
		},
	});
	let ask: Ask | null;
	try {
		ask = askOf(positionals, values);
	} catch (error) {
		if (!(error instanceof UnreadableFile)) throw error;
		output.error(error.message);
		return 1;
	}
	if (values.help || !ask) {
		output.log(HELP);
		return values.help ? 0 : 1;
	}
	const key = operatorKeyOf(env['TOKEN_KEY'] ?? keptTokenKey(env['DATA_DIR'] || defaultDataDir(env)));
	const operator = values.as ?? env['OPERATOR'] ?? userInfo().username;
	const url = values.url ?? `http://localhost:${env['PORT'] ?? 3000}`;
	return await send(ask, { url, key, operator, output });
}

// process.exit would lose output that a pipe has not taken yet.
if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process.env, console);
