/**
 * Random walks over the machines of funds: players, operators, the provider and a forger act at once, in any order, twice,
 * late, wrongly signed or about another amount; in their middle the server or PostgreSQL is killed, or the clock jumps.
 * The walks of a group share a server, its kills and its jumps, and have accounts of their own: many are under way at
 * once, and each kill hits them all between two answers. After each group the ledger is audited, every account of the
 * house and every hold is what the workflows say, each request had one effect however often it was asked, and what does
 * not go on by itself has a finding. `WALKS` sets how many; `npm run walks` makes 10,000.
 */
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { CALLS, type CallName } from '#contract/registry.ts';
import { referenceOf } from '#server/funds/payments/order-reference.ts';
import { simulatorKey } from '#server/funds/payments/webhook-keys.ts';
import { signatureOf } from '#server/signature.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { TOKEN_KEY } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { type Answer, type Walker, WalkServer } from './walk-server.ts';

const SHORT_FORM = 16;
const WALKS = Number(process.env['WALKS'] ?? SHORT_FORM);
const FIRST_SEED = Number(process.env['WALKS_FROM'] ?? 1);
const GROUP_SIZE = 500;
const GROUP = Math.min(GROUP_SIZE, WALKS);
/** Walks under way at once. */
const AT_ONCE = 50;
/** A kill or a jump comes after so many walks: each walk meets one or two on average. */
const WALKS_PER_DISTURBANCE = 35;
/** Of a walk: each referred by another. */
const PLAYERS = 3;
/** Walks that share a picture of a receipt: one of their deposits is read, which costs a process, the others are duplicates. */
const WALKS_PER_PICTURE = 8;
/** Referrals that pay one referrer. */
const REFERRAL_CAP = 1;
const ROUNDS = 5;
const ACTS_AT_ONCE = 5;
/** Audits read the whole ledger, so it does not grow for ever. */
const GROUPS_PER_DATABASE = 2;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Of the attempt that runs. */
let server: WalkServer;

/** Free coins beside a group's campaign. */
const coinsOf = (campaign: string): string => `${campaign}-coins`;

/** A campaign of each group, with money for a part of its walks. @returns its budget in major units */
async function setRules(campaign: string, walks: number): Promise<number> {
	const budget = Math.max(400, Math.round(walks / 3) * 200);
	const rules = {
		'funds.withdrawalsPerDay': 100,
		'funds.secondApprovalAbove': 500,
		'funds.autoApproveUpTo': 300,
		'funds.cancelWithdrawals': true,
		'funds.turnover': 0,
		referral: JSON.stringify({ reward: 50, minDeposit: 100, minWagered: 0, maturityHours: 0, cap: REFERRAL_CAP }),
		campaigns: JSON.stringify([
			{ id: campaign, title: 'Welcome', kind: 'WELCOME', amount: 200, wagering: 5, budget },
			{ id: coinsOf(campaign), title: 'Coins', kind: 'FREE_COINS', amount: 20, budget },
		]),
	};
	for (const [field, value] of Object.entries(rules))
		expect((await server.operator('domain-set', { host: 'localhost', field, value: String(value) }))?.status).toBe(200);
	return budget;
}

/** A request that a player repeats until it is answered. */
interface Asked {
	name: CallName;
	input: object;
	token: string;
}

interface Walk {
	numbers: SeededNumbers;
	seed: number;
	/** Of its group. */
	campaign: string;
	walkers: readonly Walker[];
	/** Base64, of the walks beside it, too. */
	picture: string;
	/** Workflows that were answered. */
	known: { kind: string; id: number }[];
	/** Each request that moves money, with its id once it is known. */
	asked: Map<string, Asked & { id: string | null }>;
}

function call(name: CallName, input: object, token: string): Promise<Answer | null> {
	const { method, path, from } = CALLS[name];
	const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
	if (method === 'POST' && from !== 'query')
		return server.send(`/${path}`, { method, body: JSON.stringify(input), headers });
	return server.send(`/${path}?${new URLSearchParams(input as Record<string, string>)}`, { method, headers });
}

const idIn = ({ result }: Answer): string | null => (result?.['orderId'] ?? result?.['id'] ?? null) as string | null;

const KINDS: Partial<Record<CallName, string>> = {
	generatePayment: 'PAYMENT',
	createDeposit: 'DEPOSIT',
	createWithdrawal: 'WITHDRAWAL',
};

/** Asks for money to be moved, under a request id of its own. */
async function ask(walk: Walk, name: CallName, input: object, { token, isBarred }: Walker): Promise<void> {
	const clientRequestId = `walk-${walk.seed}-${walk.asked.size}`;
	const asked = { name, input: { ...input, clientRequestId }, token, id: null as string | null };
	walk.asked.set(clientRequestId, asked);
	const answer = await call(name, asked.input, token);
	expectNoFault(answer);
	// A player who has left or rests may withdraw, and nothing else.
	if (isBarred && name !== 'createWithdrawal') expect([name, answer?.result ?? null]).toEqual([name, null]);
	asked.id = answer ? idIn(answer) : null;
	if (asked.id) walk.known.push({ kind: KINDS[name] ?? '', id: Number(/\d+$/.exec(asked.id)?.[0]) });
}

const DECISIONS: Readonly<Record<string, readonly string[]>> = {
	PAYMENT: ['credit', 'refund'],
	DEPOSIT: ['approve', 'approve', 'reject', 'reverse', 'reverse'],
	REFERRAL: ['void', 'claw-back', 'claw-back'],
	WITHDRAWAL: [
		'approve',
		'approve',
		'approve',
		'reject',
		'freeze',
		'release',
		'wait-for-kyc',
		'paid',
		'failed',
		'return',
	],
	ADJUSTMENT: ['approve', 'approve', 'reject'],
	FINDING: ['match', 'write-off'],
	BONUS: ['claw-back'],
};
const STATUSES = ['PENDING', 'SUCCESS', 'SUCCESS', 'FAILED', 'EXPIRED', 'DISPUTED', 'DISPUTE_WON', 'DISPUTE_LOST'];
const OPERATORS = ['asha', 'bala', 'Chitra', 'chitra'];

/** The workflow of the next act: mostly a late one, which more rows of its machine allow. */
function knownTo({ numbers, known }: Walk): { kind: string; id: number } {
	if (known.length === 0) return { kind: 'FINDING', id: 1 };
	return numbers.from(numbers.chance(70) ? known.slice(-8) : known);
}

/** One act of a player, an operator, the provider or a forger. */
async function act(walk: Walk): Promise<void> {
	const { numbers, walkers } = walk;
	const walker = numbers.from(walkers);
	const userName = `walker${walker.playerId}`;
	const { kind, id } = knownTo(walk);
	const amount = 100 + numbers.below(900) + numbers.below(10) / 100;
	const operator = numbers.from(OPERATORS);
	const act = numbers.below(16);
	if (act < 3) return await ask(walk, 'generatePayment', { amount }, walker);
	if (act < 5) {
		const details = { method: 'UPI', upiId: `p${walker.playerId}@bank` };
		return await ask(walk, 'createWithdrawal', { amount, details }, walker);
	}
	if (act < 6) {
		return await ask(walk, 'playRound', { game: 'dice', bets: [{ stake: 10, bet: 'under-5000' }] }, walker);
	}
	if (act < 10) {
		// Now and then it is of another kind.
		const events = DECISIONS[numbers.chance(90) ? kind : 'BONUS'] ?? DECISIONS['FINDING'] ?? [];
		const decision = { kind, id: String(id), event: numbers.from(events), reason: 'walk' };
		const decide = (name: string) => expectKnown(server.operator('funds-decide', decision, name));
		// What needs two persons is often decided by both.
		await Promise.all([decide(operator), numbers.chance(30) ? decide(numbers.from(OPERATORS)) : null]);
	} else if (act < 11) await webhook(walk, id, amount);
	else if (act < 13) await protectOrRefer(walk, walker, id);
	else await smallAct(walk, { walker, userName, id, amount, operator });
}

/** A deposit by receipt; a payment of the provider may have the same UTR. */
async function deposit(walk: Walk, amount: number, walker: Walker): Promise<void> {
	const stored = await call('storeImage', { image: walk.picture }, walker.token);
	expectNoFault(stored);
	const imageRef = stored?.result?.['imageRef'];
	if (imageRef) await ask(walk, 'createDeposit', { amount, utr: utrOf(walk), imageRef }, walker);
}

/** One of a few, so that one comes for several orders. */
const utrOf = ({ numbers, seed }: Walk): string => String(100_000_000_000 + (seed % 1_000_000) * 10 + numbers.below(6));

/** A player looks for friends who qualified and claims the reward, or leaves, or takes a break. */
async function protectOrRefer({ numbers, walkers, known }: Walk, walker: Walker, id: number): Promise<void> {
	const { token } = walker;
	if (numbers.chance(10)) {
		const answer = await (numbers.chance(50)
			? call('excludeSelf', { months: 6, password: PASSWORD }, token)
			: call('takeTimeOut', { hours: 24 }, token));
		expectNoFault(answer);
		if (answer?.status !== 200) return;
		for (const own of walkers) if (own.mobile === walker.mobile) own.isBarred = true;
	} else if (numbers.chance(20)) {
		await expectKnown(call('claimReferral', { userReferDetailId: String(id) }, token));
	} else {
		for (const friend of await claimReferrals(walker)) known.push({ kind: 'REFERRAL', id: friend });
	}
}

/** Claims twice at once for all friends who qualified. @returns the ids of the player's referrals */
async function claimReferrals({ token }: Walker): Promise<number[]> {
	const answer = await call('getReferralDetails', {}, token);
	expectNoFault(answer);
	const items = (answer?.result?.['items'] ?? []) as { id: string; canClaim: boolean }[];
	const claimed = items.filter(({ canClaim }) => canClaim).flatMap(({ id }) => [id, id]);
	await Promise.all(claimed.map((id) => expectKnown(call('claimReferral', { userReferDetailId: id }, token))));
	return items.map(({ id }) => Number(id));
}

async function claimBonus({ known }: Walk, id: string, token: string): Promise<void> {
	const answer = await call('claimBonus', { id }, token);
	expectNoFault(answer);
	if (answer?.result) known.push({ kind: 'BONUS', id: Number(answer.result['id']) });
}

/** An operator looks for what is wrong. */
async function findFindings({ known }: Walk, operator: string): Promise<void> {
	const answer = await server.operator('funds-queue', { kind: 'FINDING' }, operator);
	expectNoFault(answer);
	const found = (answer?.result ?? []) as unknown as { id: string }[];
	for (const { id } of found.slice(-3)) known.push({ kind: 'FINDING', id: Number(id) });
}

async function smallAct(
	walk: Walk,
	{
		walker,
		userName,
		id,
		amount,
		operator,
	}: { walker: Walker; userName: string; id: number; amount: number; operator: string },
): Promise<void> {
	const { numbers, known, seed, campaign } = walk;
	const { token } = walker;
	switch (numbers.below(13)) {
		case 0:
			return await expectKnown(call('cancelWithdrawal', { id: `WITHDRAWAL-${id}` }, token));
		case 1:
			return await expectKnown(call('checkPayment', { orderId: String(id) }, token));
		case 2:
			return await claimBonus(walk, numbers.chance(50) ? campaign : coinsOf(campaign), token);
		case 3:
			return await expectKnown(call('claimDailyCoins', {}, token));
		case 4:
			return await expectKnown(
				server.operator('funds-dispute', { id: String(id), event: numbers.from(['open', 'won', 'lost']) }, operator),
			);
		case 5:
			return await expectKnown(
				server.operator(
					'freeze',
					{ userName, host: 'localhost', reason: numbers.chance(30) ? 'walk' : null },
					operator,
				),
			);
		case 6:
		case 7:
			return await deposit(walk, amount, walker);
		case 8:
			return await findFindings(walk, operator);
		case 9: {
			// Few references, so that one comes twice.
			const reference = `S-${seed >> 2}`;
			return await expectKnown(
				server.operator('provider-settlement', { pool: 'PLAY', reference, net: amount, fee: 1 }, operator),
			);
		}
		default: {
			const about = {
				userName,
				host: 'localhost',
				amount: numbers.chance(50) ? amount : -amount,
				reasonCode: 'TEST',
				reason: 'walk',
			};
			const answer = await server.operator('adjust', about, operator);
			if (answer?.result) known.push({ kind: 'ADJUSTMENT', id: Number(idIn(answer)) });
		}
	}
}

/** Every refusal is one of the catalogue. */
async function expectKnown(asked: Promise<Answer | null>): Promise<void> {
	expectNoFault(await asked);
}

/** A request may fail for a killed database, and for nothing else. */
function expectNoFault(answer: Answer | null): void {
	expect(answer?.code).not.toBe('VALIDATION_FAILED');
	if (answer?.status === 500) expect(server.faults()).toEqual([]);
}

/** Sent twice at once, sometimes with another's signature. */
async function webhook(walk: Walk, orderId: number, amount: number): Promise<void> {
	const { numbers, seed } = walk;
	const { id, secret } = simulatorKey(TOKEN_KEY);
	const word = {
		reference: numbers.chance(5) ? 'ELSEWHERE' : referenceOf('BLP', orderId),
		providerId: `p-${orderId}`,
		status: numbers.from(STATUSES),
		amount: Math.round(amount * 100),
		currency: numbers.chance(5) ? 'USD' : 'INR',
		utr: utrOf(walk),
	};
	const body = JSON.stringify({ eventId: `walk-${seed}-${numbers.below(1_000_000)}`, word });
	const isForged = numbers.chance(20);
	const send = () => {
		const timestamp = String(server.now);
		const signature = signatureOf(isForged ? 'another secret' : secret, timestamp, Buffer.from(body));
		const headers = { 'x-payment-key-id': id, 'x-payment-timestamp': timestamp, 'x-payment-signature': signature };
		return Promise.all([1, 2].map(() => server.send('/api/Payment/Webhook', { method: 'POST', body, headers })));
	};
	let answers = await send();
	if (isForged) {
		for (const answer of answers) expect(answer?.status ?? 403).toBe(403);
		return;
	}
	// The clock may have jumped between the signature and its check: the provider signs again.
	for (let tries = 0; tries < 5 && answers.some((answer) => answer?.status === 403); tries++) answers = await send();
	for (const answer of answers) expect([200, 503]).toContain(answer?.status ?? 200);
}

/** Asks all that moves money again, twice at once: the answer that was given before, and one workflow for each. */
async function askAgain({ asked, walkers }: Walk): Promise<void> {
	for (const walker of walkers.slice(0, -1)) await claimReferrals(walker);
	for (const { name, input, token, id } of asked.values()) {
		const answers = await Promise.all([call(name, input, token), call(name, input, token)]);
		const ids = new Set(answers.flatMap((answer) => (answer && idIn(answer)) ?? []));
		// A request that was refused before may pass now that a payout failed, and then one of the two may come too soon.
		if (id !== null) expect([name, ...ids]).toEqual([name, id]);
		else expect(ids.size).toBeLessThan(2);
	}
}

/** What the accounts hold beside what the workflows say they should: equal rows. */
const DISAGREEMENTS = `
	with said as (
		select 'hold ' || wallet_id as account,
			coalesce(sum((data ->> case kind when 'PAYMENT' then 'held' else 'amount' end)::bigint), 0) as amount
		from workflow where is_open and (kind = 'WITHDRAWAL' and state in ('REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'APPROVED')
			or kind = 'PAYMENT' and state = 'DISPUTED') group by wallet_id
		union all select 'bonus ' || wallet_id, sum((data ->> 'amount')::bigint) from workflow
			where kind = 'BONUS' and state = 'ACTIVE' group by wallet_id
		union all select 'payout', sum((data ->> 'amount')::bigint) from workflow
			where is_open and kind = 'WITHDRAWAL' and state in ('PROCESSING', 'UNKNOWN')
		union all select 'bank', sum(case kind when 'WITHDRAWAL' then (data ->> 'amount')::bigint when 'DEPOSIT' then -(data ->> 'amount')::bigint
			else -(data ->> 'net')::bigint end) from workflow where kind = 'WITHDRAWAL' and state = 'PAID'
			or kind = 'DEPOSIT' and state = 'APPROVED' or kind = 'PROVIDER_SETTLEMENT'
		union all select 'gateway', sum(case kind when 'PAYMENT' then -(data ->> 'paid')::bigint
			else (data ->> 'net')::bigint + (data ->> 'fee')::bigint end) from workflow
			where kind = 'PAYMENT' and data ? 'paid' and state not in ('REFUNDED', 'LOST') or kind = 'PROVIDER_SETTLEMENT'
		union all select 'bonus_cost', -sum((data ->> 'amount')::bigint) from workflow where kind = 'BONUS' and state in ('ACTIVE', 'RELEASED')
		union all select 'referral_cost', -sum((data ->> 'amount')::bigint) from workflow where kind = 'REFERRAL' and state = 'CLAIMED'
		union all select 'unmatched', sum((data ->> 'paid')::bigint) from workflow where is_open and kind = 'PAYMENT' and state = 'REVIEW'
	), held as (
		select 'hold ' || wallet_id as account, hold as amount from wallet where hold <> 0
		union all select 'bonus ' || wallet_id, bonus from wallet where bonus <> 0
		union all select kind, balance from house_account where pool = 'PLAY'
			and kind in ('payout', 'unmatched', 'bank', 'gateway', 'bonus_cost', 'referral_cost')
	)
	select account, said.amount::text as said, held.amount::text as held from said full join held using (account)
	where coalesce(said.amount, 0) <> coalesce(held.amount, 0)`;

/** Transfers that were counted twice, as payments or by their receipts. */
const PAID_TWICE = `select data ->> 'utr' as utr from workflow where kind in ('PAYMENT', 'DEPOSIT') and data ? 'utr' and state <> 'DUPLICATE'
	group by 1 having count(*) > 1`;

/** Referrers who were paid for more friends than the cap, and friends who were linked twice. */
const REFERRED_TWICE = `
	select wallet_id as player from workflow where kind = 'REFERRAL' and state = 'CLAIMED' group by 1 having count(*) > ${REFERRAL_CAP}
	union all select (data ->> 'refereeId')::bigint from workflow where kind = 'REFERRAL' group by 1 having count(*) > 1`;

/** Campaigns that gave more than their budget. */
const overspent = (campaign: string, budget: number) => `
	select sum((data ->> 'amount')::bigint)::text as given from workflow where kind = 'BONUS' and data ->> 'campaign' = '${campaign}'
	  and state in ('ACTIVE', 'RELEASED') having sum((data ->> 'amount')::bigint) > ${budget} * 100`;

/** What waits for nobody and goes nowhere, a day later. */
const STUCK = `
	select kind, id::text, state from workflow as open where is_open and (
		kind = 'PAYMENT' and state in ('CREATED', 'PENDING') or kind = 'ADJUSTMENT' and state = 'APPROVED'
		or kind = 'WITHDRAWAL' and (state in ('APPROVED', 'PROCESSING') or state = 'UNKNOWN' and not exists (
			select 1 from workflow_claim where name = 'finding:payout-without-verdict:' || open.id))
		or kind = 'DEPOSIT' and state = 'SUBMITTED' or kind = 'BONUS' and exists (
			select 1 from player_protection where player_id = wallet_id and record ->> 'excludedUntilMs' is not null))
	union all select 'referral', player_id::text, referral_code from player where referral_code <> '' and not exists (
		select 1 from workflow_claim where name = 'referral:' || player_id)
	union all select 'webhook', event_id, state from payment_webhook where state = 'NEW'`;

const rowsOf = async (sql: string): Promise<unknown[]> => (await server.db.query(sql)).rows;

/** States that the walks of a whole group come to; fewer walks, of a seed that is looked at, come to what they come to. */
const REACHED = [
	'PAYMENT SUCCESS',
	'PAYMENT REVIEW',
	'PAYMENT CREDITED',
	'PAYMENT LOST',
	'DEPOSIT APPROVED',
	'DEPOSIT REJECTED',
	'DEPOSIT DUPLICATE',
	'REFERRAL CLAIMED',
	'REFERRAL VOID',
	'WITHDRAWAL PAID',
	'WITHDRAWAL REJECTED',
	'ADJUSTMENT POSTED',
	'BONUS FORFEITED',
	'FINDING MATCHED',
	'PROVIDER_SETTLEMENT SETTLED',
];

/** Kills and jumps of the clock while the walks of a group are under way. */
class Disturbances {
	readonly #numbers: SeededNumbers;
	readonly #everyRounds: number;
	#rounds = 0;
	#over = Promise.resolve();

	constructor(numbers: SeededNumbers, walks: number) {
		this.#numbers = numbers;
		const wanted = Math.max(2, Math.round(walks / WALKS_PER_DISTURBANCE));
		this.#everyRounds = Math.ceil((walks * ROUNDS) / (wanted + 1));
	}

	/** A walk has ended a round of acts; the acts of all others go on while the disturbance begins. */
	roundEnded(): void {
		if (++this.#rounds % this.#everyRounds === 0) this.#over = this.#over.then(() => this.#disturb());
	}

	/** Acts on a server that is down would only be lost. */
	async over(): Promise<void> {
		await this.#over;
	}

	async #disturb(): Promise<void> {
		const what = this.#numbers.below(4);
		if (what === 0) {
			await server.kill();
			await server.start();
		} else if (what === 1) {
			await server.killDatabase();
			await server.ready();
		} else server.jump(what === 2 ? 10 * MINUTE_MS : -10 * MINUTE_MS);
	}
}

async function take(walk: Walk, disturbances: Disturbances): Promise<void> {
	await disturbances.over();
	for (const { token } of walk.walkers) await call('claimDailyCoins', {}, token);
	if (walk.numbers.chance(50)) await claimBonus(walk, walk.campaign, walk.walkers[0]?.token ?? '');
	for (let round = 0; round < ROUNDS; round++) {
		await disturbances.over();
		await Promise.all(Array.from({ length: ACTS_AT_ONCE }, () => act(walk)));
		disturbances.roundEnded();
	}
}

/** The work on each walk, many at once. */
async function forEachWalk(walks: readonly Walk[], work: (walk: Walk) => Promise<void>): Promise<void> {
	const waiting = [...walks];
	const lane = async () => {
		for (let walk = waiting.shift(); walk; walk = waiting.shift()) await work(walk);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

interface Group {
	walks: readonly Walk[];
	campaign: string;
	/** Major units. */
	budget: number;
}

/** A picture on which there is nothing to read. @returns base64 */
async function noise(seed: number, at: number): Promise<string> {
	const numbers = new SeededNumbers(seed * 1_000 + at);
	const pixels = Buffer.from(Array.from({ length: 3 * 16 * 16 }, () => numbers.below(256)));
	return (
		await sharp(pixels, { raw: { width: 16, height: 16, channels: 3 } })
			.png()
			.toBuffer()
	).toString('base64');
}

async function group(seeds: readonly number[]): Promise<Group> {
	await server.kill();
	const walkers = await server.addWalkers(seeds.length, PLAYERS);
	await server.start();
	const campaign = `welcome-${seeds[0]}`;
	const budget = await setRules(campaign, seeds.length);
	const pictures = await Promise.all(
		Array.from({ length: Math.ceil(seeds.length / WALKS_PER_PICTURE) }, (_, at) => noise(seeds[0] ?? 0, at)),
	);
	const walks = seeds.map(
		(seed, at): Walk => ({
			numbers: new SeededNumbers(seed),
			seed,
			campaign,
			walkers: walkers.slice(at * PLAYERS, (at + 1) * PLAYERS),
			picture: pictures[Math.floor(at / WALKS_PER_PICTURE)] ?? '',
			known: [],
			asked: new Map(),
		}),
	);
	const disturbances = new Disturbances(new SeededNumbers(seeds[0] ?? 0), walks.length);
	await forEachWalk(walks, (walk) => take(walk, disturbances));
	await disturbances.over();
	return { walks, campaign, budget };
}

/** A day later, after a restart in the middle of what was going on. */
async function expectWhole({ walks, campaign, budget }: Group): Promise<void> {
	await server.kill();
	server.shiftMs += DAY_MS + 60 * MINUTE_MS;
	await server.start();
	await forEachWalk(walks, askAgain);
	server.jump(DAY_MS + 60 * MINUTE_MS);
	await expect.poll(() => rowsOf(STUCK), { timeout: 600_000, interval: 200 }).toEqual([]);
	const seeds = `${walks[0]?.seed} to ${walks.at(-1)?.seed}`;
	for (const wrong of [DISAGREEMENTS, PAID_TWICE, REFERRED_TWICE, overspent(campaign, budget)])
		expect([seeds, await rowsOf(wrong)]).toEqual([seeds, []]);
	await server.kill();
	expect(server.faults()).toEqual([]);
	await expectSound(server.databaseUrl);
}

it(
	`${WALKS} random walks with kills and jumps of the clock leave no money without a reason and nothing stuck`,
	async () => {
		server = await WalkServer.create();
		onTestFinished(() => server.dispose());
		const states = new Set<string>();
		for (let from = 0, groups = 0; from < WALKS; from += GROUP, groups++) {
			if (groups > 0 && groups % GROUPS_PER_DATABASE === 0) {
				await server.dispose();
				server = await WalkServer.create();
			}
			const seeds = Array.from({ length: Math.min(GROUP, WALKS - from) }, (_, at) => FIRST_SEED + from + at);
			await expectWhole(await group(seeds));
			for (const row of await rowsOf(`select distinct kind || ' ' || to_state as state from workflow_step`))
				states.add((row as { state: string }).state);
			if (WALKS > SHORT_FORM) console.log(`${from + seeds.length} walks reached ${[...states].sort().join(', ')}`);
		}
		expect([...states]).toEqual(expect.arrayContaining(WALKS < GROUP_SIZE ? ['PAYMENT SUCCESS'] : REACHED));
	},
	Math.max(180_000, WALKS * 20_000),
);
