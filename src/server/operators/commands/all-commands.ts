/** The commands whose words differ from their call's name and fields. */
import { randomBytes, randomInt } from 'node:crypto';
import { flag, LIST, reader, TEXT } from '#server/operators/commands/field-reader.ts';
import { JSON_FILE, PICTURE_FILE, TEXT_FILE } from '#server/operators/commands/files.ts';
import type { CallOfKey, CommandOf } from '#server/operators/commands/wording.ts';

const KIND = reader('a kind such as WITHDRAWAL', (text) => text.toUpperCase());
const ON_OFF = {
	...reader('on or off', (text) => (text === 'on' ? true : text === 'off' ? false : undefined)),
	choices: ['on', 'off'],
};
const BRANDS = reader('a list of hosts with commas between, or all', (text) =>
	text === 'all' ? null : LIST.read(text),
);
const LINES = reader('the first line, the last and the interval, such as 150.5:250.5:1', (text) => {
	const [min = Number.NaN, max = Number.NaN, interval = Number.NaN, ...more] = text.split(':').map(Number);
	return more.length === 0 && [min, max, interval].every(Number.isFinite) ? { min, max, interval } : undefined;
});
const SIDE = reader('a line and a rate such as 45:100, or none', (text) => {
	if (text === 'none') return null;
	const [line = Number.NaN, rate = Number.NaN, ...more] = text.split(':').map(Number);
	return more.length === 0 && Number.isFinite(line) && Number.isFinite(rate) ? { line, rate } : undefined;
});
const STEPS = reader(
	'steps such as 100000:5000,250000:1000:20000 (liability, largest stake, exposure), or none',
	(text) => {
		if (text === 'none') return [];
		const steps = text.split(',').map((step) => step.split(':').map(Number));
		const isStep = (step: number[]) => [2, 3].includes(step.length) && step.every(Number.isFinite);
		return steps.every(isStep)
			? steps.map(([from = 0, maxStake = 0, maxExposure = null]) => ({ from, maxStake, maxExposure }))
			: undefined;
	},
);
/** Operators' events of a dispute, as in docs/FUNDS.md. */
const DISPUTE_EVENTS: Readonly<Record<string, string>> = {
	open: 'dispute',
	won: 'won',
	lost: 'lost',
	evidence: 'evidence',
};
const DISPUTE_EVENT = {
	...reader('open, won, lost or evidence', (text) => DISPUTE_EVENTS[text]),
	choices: Object.keys(DISPUTE_EVENTS),
};
const LARGE_ONES = 'Large ones need a second operator, who decides the same.';

const onWorkflow = { args: ['kind', 'id'], reads: { kind: KIND } } as const;
/** The player of a brand by name; an act that also takes an id takes a name here. */
const byName = { required: ['userName'], hidden: ['playerId'], made: { host: () => 'localhost' } } as const;

export const COMMANDS: readonly { [Name in CallOfKey]: CommandOf<Name> }[CallOfKey][] = [
	{
		call: 'create-player',
		words: 'create-player',
		args: ['userName'],
		made: { password: () => randomBytes(9).toString('base64url') },
		printed: ['password'],
		notes: 'It prints the password that it chooses when none is given. After --, a name may begin with a dash.',
	},
	{
		call: 'add-money',
		words: 'add-money',
		args: ['userName', 'amount'],
		made: { grantId: () => Date.now() * 1000 + randomInt(1000) },
		notes: 'In the currency of the player’s brand: add-money anna 5000.',
	},
	{ call: 'webhook-list', words: 'webhook list', args: ['host'] },
	{
		call: 'webhook-add',
		words: 'webhook add',
		args: ['host', 'url'],
		reads: { events: LIST },
		notes: 'webhook rotate prints the secret. docs/WEBHOOKS.md has the kinds of events.',
	},
	{ call: 'webhook-rotate', words: 'webhook rotate', args: ['host', 'endpointId'] },
	{
		call: 'webhook-pause',
		words: 'webhook pause',
		args: ['host', 'endpointId', 'isPaused'],
		reads: { isPaused: ON_OFF },
	},
	{ call: 'webhook-remove', words: 'webhook remove', args: ['host', 'endpointId'] },
	{ call: 'webhook-test', words: 'webhook test', args: ['host', 'endpointId'] },
	{ call: 'webhook-deliveries', words: 'webhook deliveries', args: ['host', 'endpointId'] },
	{ call: 'webhook-replay', words: 'webhook replay', args: ['host', 'endpointId'] },
	{ call: 'message-list', words: 'message list', args: ['host', 'channel'] },
	{ call: 'message-retry', words: 'message retry', args: ['host', 'channel', 'messageId'] },
	{ call: 'create-client', words: 'create-client', args: ['name', 'redirectUri'] },
	{
		...byName,
		call: 'player-limits',
		words: 'player-limits',
		args: ['userName'],
	},
	{ call: 'stream', words: 'stream', args: ['eventId', 'address'] },
	{
		call: 'open-market',
		words: 'open-market',
		args: ['eventId', 'name'],
		named: { delaySeconds: 'delay' },
		reads: { runners: LIST, lines: LINES },
		notes:
			'You suspend, close and settle it yourself. MATCH_ODDS and most other types take runners; PLACE takes places, EACH_WAY places and a divisor, OVER_UNDER and ASIAN_HANDICAP a handicap, LINE its lines.',
	},
	{ call: 'limit-rules', words: 'limits show' },
	{
		call: 'limit-rule-set',
		words: 'limits set',
		args: ['pool', 'watches', 'steps'],
		reads: { steps: STEPS },
		notes: 'limits set REAL HOUSE 100000:5000,250000:1000:20000 --sport cricket; the steps "none" remove the rule.',
	},
	{ call: 'open-bookmaker', words: 'open-bookmaker', args: ['eventId', 'name'], reads: { runners: LIST } },
	{ call: 'price-fancy', words: 'price-fancy', args: ['marketId'], reads: { no: SIDE, yes: SIDE } },
	{
		call: 'settle',
		words: 'settle',
		args: ['marketId'],
		named: { winners: 'winner', results: 'result' },
		needsOneOf: ['winners', 'tied', 'value', 'results'],
		notes:
			'A runner is a name or an id, and each option is given once a runner. --placed is for each way; --places where fewer places are paid than were announced; --value pays a market on lines, or a fancy, by the number that came.',
	},
	{
		call: 'resettle',
		words: 'resettle',
		args: ['marketId'],
		named: { winners: 'winner', results: 'result' },
		needsOneOf: ['winners', 'tied', 'value', 'results', 'isVoid'],
	},
	{ call: 'market-replay', words: 'replay', args: ['marketId', 'at'] },
	{
		call: 'market-export',
		words: 'market-export',
		args: ['marketId'],
		notes: 'export-verify checks the field "file" of the answer, saved to a file.',
	},
	{ call: 'result-desk', words: 'result desk' },
	{ call: 'result-evidence', words: 'result show', args: ['marketId'] },
	{ call: 'void-bets', words: 'void-bets', args: ['marketId'], named: { betId: 'bet' }, hidden: ['betIds'] },

	{ call: 'staff-list', words: 'staff list' },
	{
		call: 'staff-add',
		words: 'staff add',
		args: ['name'],
		reads: { roles: LIST, brands: BRANDS },
		notes: 'It prints the password. Without --brands the member works for all of them.',
	},
	{ call: 'staff-remove', words: 'staff remove', args: ['name'], required: ['name'], hidden: ['staffId'] },
	{ call: 'staff-password', words: 'staff password', args: ['name'] },
	{
		call: 'staff-player-link',
		words: 'staff link',
		args: ['name', 'userName'],
		required: ['name', 'userName'],
		hidden: ['staffId', 'playerId'],
	},
	{
		call: 'staff-player-unlink',
		words: 'staff unlink',
		args: ['name', 'userName'],
		required: ['name', 'userName'],
		hidden: ['staffId', 'playerId'],
	},
	{ call: 'staff-roles', words: 'staff roles', args: ['staffId'], reads: { roles: LIST, brands: BRANDS } },
	{ call: 'staff-role', words: 'staff role', args: ['name'], reads: { permissions: LIST } },
	{ call: 'staff-factor-reset', words: 'staff factor-reset' },
	{ call: 'staff-identity', words: 'staff identity', args: ['staffId'] },
	{ call: 'staff-sessions', words: 'staff sessions' },
	{ call: 'staff-session-end', words: 'staff session-end' },

	{ call: 'brand-list', words: 'brand list' },
	{ call: 'brand-show', words: 'brand show', args: ['host'], notes: 'The host "default" is default.json.' },
	{
		call: 'brand-set',
		words: 'brand set',
		args: ['host', 'field', 'value'],
		notes: "brand set royal.localhost siteSuspended true; brand set royal.localhost themeTokens.brand '#0f766e'.",
	},
	{ call: 'brand-set-guarded', words: 'brand set-guarded', args: ['host', 'field', 'value'] },
	{ call: 'brand-roll-back', words: 'brand roll-back', args: ['host', 'seq', 'field'] },
	{
		call: 'brand-picture',
		words: 'brand picture',
		args: ['host', 'field', 'image'],
		reads: { image: PICTURE_FILE },
	},
	{ call: 'brand-picture-remove', words: 'brand picture-remove', args: ['host', 'field'] },
	{
		call: 'brand-change',
		words: 'brand change',
		args: ['host', 'changes'],
		reads: { changes: JSON_FILE },
		notes: 'A file with a list of fields and values as texts.',
	},
	{
		call: 'brand-change-guarded',
		words: 'brand change-guarded',
		args: ['host', 'changes'],
		reads: { changes: JSON_FILE },
	},
	{ call: 'brand-versions', words: 'brand versions', args: ['host'] },
	{ call: 'brand-differences', words: 'brand differences', args: ['host'] },
	{ call: 'brand-schedule', words: 'brand schedule', args: ['host', 'at', 'changes'], reads: { changes: JSON_FILE } },
	{
		call: 'brand-schedule-guarded',
		words: 'brand schedule-guarded',
		args: ['host', 'at', 'changes'],
		reads: { changes: JSON_FILE },
	},
	{ call: 'brand-schedule-withdraw', words: 'brand schedule-withdraw', args: ['host', 'scheduleId'] },
	{ call: 'brand-schedules', words: 'brand schedules', args: ['host'] },
	{ call: 'brand-add', words: 'brand add', args: ['host'], reads: { languages: LIST, sports: LIST } },
	{
		...byName,
		call: 'player-sport',
		words: 'player-sport',
		args: ['userName', 'sport', 'allowed'],
		reads: { allowed: ON_OFF },
	},

	{ call: 'standby-status', words: 'standby status' },

	{ call: 'payment-queue', words: 'queue', args: ['kind'], reads: { kind: KIND } },
	{ ...onWorkflow, call: 'payment-show', words: 'show' },
	{
		...onWorkflow,
		call: 'payment-decide',
		words: 'approve',
		fixed: { event: 'approve' },
		hidden: ['amount'],
		summary: 'Approves what waits.',
		notes: LARGE_ONES,
	},
	{
		...onWorkflow,
		call: 'payment-decide',
		words: 'reject',
		fixed: { event: 'reject' },
		hidden: ['amount'],
		summary: 'Rejects what waits; give a reason.',
		notes: LARGE_ONES,
	},
	{
		call: 'payment-decide',
		words: 'decide',
		args: ['kind', 'id', 'event'],
		reads: { kind: KIND },
		notes:
			'Any decision of docs/FUNDS.md: credit or refund a PAYMENT in review, reverse a DEPOSIT, freeze a WITHDRAWAL, match a FINDING.',
	},
	{
		call: 'payment-decide',
		words: 'dispute',
		args: ['id', 'event'],
		reads: { event: DISPUTE_EVENT },
		hidden: ['kind'],
		made: { kind: ({ event }) => (event === 'dispute' ? 'PAYMENT' : 'DISPUTE') },
		summary: 'Opens a dispute of a payment, with its number, or decides an open one, with its own.',
		notes: 'show PAYMENT ID names its disputes. --amount disputes a part. Two persons end one.',
	},
	{ ...onWorkflow, call: 'payment-claim', words: 'claim' },
	{ ...onWorkflow, call: 'payment-release', words: 'release' },
	{ ...onWorkflow, call: 'payment-take-over', words: 'take-over' },
	{ ...onWorkflow, call: 'payment-receipt', words: 'payment-receipt' },
	{
		call: 'payment-preview',
		words: 'payment-preview',
		args: ['kind', 'id', 'event'],
		reads: { kind: KIND },
	},
	{
		...byName,
		call: 'adjust',
		words: 'adjust',
		args: ['userName', 'amount'],
		named: { reasonCode: 'code' },
		notes: 'A negative amount takes money: adjust anna -100 --code CORRECTION --reason TEXT.',
	},
	{
		...byName,
		call: 'player-freeze',
		words: 'freeze',
		args: ['userName'],
		reads: { reason: TEXT },
		summary: 'Freezes a player: no bets and no deposits.',
	},
	{
		...byName,
		call: 'player-freeze',
		words: 'unfreeze',
		args: ['userName'],
		fixed: { reason: null },
		summary: 'Ends the freezing of a player.',
	},
	{ call: 'verify-identity', words: 'verify-identity', args: ['userName'] },
	{
		call: 'provider-settlement',
		words: 'provider-settlement',
		args: ['pool', 'reference', 'net', 'fee'],
	},
	{
		call: 'reconcile',
		words: 'reconcile',
		args: ['pool', 'report'],
		named: { source: 'bank' },
		reads: { report: TEXT_FILE, source: flag('BANK') },
		notes:
			'The report of the provider has the columns reference,utr,amount. With --bank it is the bank’s statement: utr,amount, and what left is below zero.',
	},
	{
		call: 'reconcile-games',
		words: 'reconcile-games',
		args: ['provider', 'day', 'report'],
		reads: { report: TEXT_FILE },
	},
	{ call: 'round-close', words: 'close-round', args: ['id'], hidden: ['kind'] },
	{ call: 'trial-balance', words: 'trial-balance', args: ['pool'] },
	{ call: 'day-books', words: 'day-books', args: ['pool'] },
	{ call: 'campaign-dry-run', words: 'campaign dry-run', args: ['campaign'], reads: { campaign: JSON_FILE } },
	{ call: 'campaign-draw-up', words: 'campaign draw-up', args: ['campaign'], reads: { campaign: JSON_FILE } },
	{ call: 'campaign-stop', words: 'campaign stop', args: ['id'] },
];

/** The subject of two-word commands' first words. */
export const GROUPS: Readonly<Record<string, string>> = {
	staff: 'Members of staff, who use the console',
	brand: 'Brands and their settings',
	webhook: 'Signed webhooks to the systems of brands',
	limits: 'Limits of markets that tighten as liability grows',
	result: 'Markets that wait for a result, and what is said about it',
	standby: 'Processes that follow the exchange',
	campaign: 'Bonuses: a campaign is a file with JSON',
};
