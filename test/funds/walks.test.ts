/**
 * Random walks over the machines of funds: players, operators, the provider and a forger act at once, in any order, twice,
 * late, wrongly signed or about another amount; in their middle the server or PostgreSQL is killed, or the clock jumps.
 * The walks of a group share a server, its kills and its jumps, and have accounts of their own: many are under way at
 * once, and each kill hits them all between two answers. After each group the ledger is audited, every account of the
 * house and every hold is what the workflows say, each request had one effect however often it was asked, and what does
 * not go on by itself has a finding. The walks make every transition of every table: operators, players and the provider
 * do last what chance has left out. `WALKS` sets how many; `npm run walks` makes 10,000.
 *
 * @module-tag thorough
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { CallName } from '#contract/registry.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { poolOf } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { TOKEN_KEY } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { Disturbances } from './disturbances.ts';
import { noise } from './noise.ts';
import {
	canBeNudged,
	DECISIONS,
	isBonusGuard,
	isCreditGuard,
	type Transition,
	transitionsMade,
	WALKED,
} from './transitions.ts';
import { idIn, knownTo, utrOf, type Walk } from './walk.ts';
import {
	disagreementsIn,
	OVERHELD,
	overspent,
	PAID_TWICE,
	PARTS_OF_COINS,
	referredMoreThan,
	STUCK,
	UNSENT_PAYOUTS,
} from './walk-checks.ts';
import { coinsOf, freeBetOf, REFERRAL_CAP, setRules } from './walk-rules.ts';
import {
	type Answer,
	HOSTS,
	inCurrency,
	type Login,
	WALKED_IN,
	type Walked,
	type Walker,
	WalkServer,
} from './walk-server.ts';

/** This many walks make every transition. */
const SHORT_FORM = 16;
const WALKS = Number(process.env['WALKS'] ?? SHORT_FORM);
const FIRST_SEED = Number(process.env['WALKS_FROM'] ?? 1);
const GROUP_SIZE = 500;
/** Walks under way at once. */
const AT_ONCE = 50;
/** Of a walk: each referred by another. */
const PLAYERS = 3;
/** Walks that share a picture of a receipt: one of their deposits is read, which costs a process, the others are duplicates. */
const WALKS_PER_PICTURE = 4;
const ROUNDS = 5;
const ACTS_AT_ONCE = 5;
/** Audits read the whole ledger, so it does not grow for ever. */
const GROUPS_PER_DATABASE = 2;
const MINUTE_MS = 60_000;
/** The transitions that chance has left out. */
const REACHED_WITHIN_MS = 60_000;
const NUDGE_EVERY_MS = 50;

/** Of the attempt that runs. */
let server: WalkServer;

/** Major units: enough for each bonus to be wagered with one bet. */
const BET = 250;
/** Major units: the least stake of a round. */
const CHIP: Readonly<Record<Walked, number>> = { INR: 10, JPY: 100 };

const KINDS: Partial<Record<CallName, string>> = {
	generatePayment: 'PAYMENT',
	createDeposit: 'DEPOSIT',
	createWithdrawal: 'WITHDRAWAL',
};

const amountIn = (input: object) => ('amount' in input ? { amount: input.amount as number } : {});

/** Asks for money to be moved, under a request id of its own. */
async function ask(walk: Walk, name: CallName, input: object, walker: Walker): Promise<void> {
	const clientRequestId = `walk-${walk.seed}-${walk.asked.size}`;
	const asked = { name, input: { ...input, clientRequestId }, login: walker, id: null as string | null };
	walk.asked.set(clientRequestId, asked);
	const answer = await server.call(name, asked.input, walker);
	expectNoFault(answer);
	// A player who has left or rests may withdraw, and nothing else.
	if (walker.isBarred && name !== 'createWithdrawal') expect([name, answer?.result ?? null]).toEqual([name, null]);
	asked.id = answer ? idIn(answer) : null;
	const kind = KINDS[name];
	if (asked.id && kind) walk.known.push({ kind, id: Number(/\d+$/.exec(asked.id)?.[0]), ...amountIn(input) });
}
const STATUSES = ['PENDING', 'SUCCESS', 'SUCCESS', 'FAILED', 'EXPIRED', 'DISPUTED', 'DISPUTE_WON', 'DISPUTE_LOST'];
const OPERATORS = ['asha', 'bala', 'Chitra', 'chitra'];

/** One act of a player, an operator, the provider or a forger. */
async function act(walk: Walk): Promise<void> {
	const { numbers, walkers } = walk;
	const walker = numbers.from(walkers);
	const { kind, id, amount: asked } = knownTo(walk);
	const amount = inCurrency(walker.currency, 100 + numbers.below(900) + numbers.below(10) / 100);
	const operator = numbers.from(OPERATORS);
	const act = numbers.below(18);
	if (act < 3) return await ask(walk, 'generatePayment', { amount }, walker);
	if (act < 5) {
		return await withdraw(walk, walker);
	}
	if (act < 6) {
		return await ask(
			walk,
			'playRound',
			{ game: 'dice', bets: [{ stake: CHIP[walker.currency], bet: 'under-5000' }] },
			walker,
		);
	}
	if (act < 10) {
		// Now and then it is of another kind.
		const events = DECISIONS[numbers.chance(90) ? kind : 'BONUS'] ?? DECISIONS['FINDING'] ?? [];
		const decision = { kind, id: String(id), event: numbers.from(events), reason: 'walk' };
		const decide = (name: string) => expectKnown(server.operator('payment-decide', decision, name));
		// What needs two persons is often decided by both.
		await Promise.all([decide(operator), numbers.chance(30) ? decide(numbers.from(OPERATORS)) : null]);
	} else if (act < 11) await webhook(walk, id, numbers.chance(50) && asked ? asked : amount);
	else if (act < 12) await bet(walk, walker, { side: numbers.from(['BACK', 'LAY']), runner: numbers.below(2) });
	else if (act < 14) await protectOrRefer(walk, walker, id);
	else await smallAct(walk, { walker, id, amount, operator });
}

/** @param rupees of them the parts decide how the payment goes */
const order = (walk: Walk, rupees: number, walker: Walker): Promise<void> =>
	ask(walk, 'generatePayment', { amount: inCurrency(walker.currency, rupees) }, walker);

/** A payout may fail, stay without a verdict, or have one late: the minor units decide. */
async function withdraw(walk: Walk, walker: Walker): Promise<void> {
	const details = { method: 'UPI', upiId: `p${walker.playerId}@bank` };
	const amount = inCurrency(walker.currency, 100 + walk.numbers.below(900) + walk.numbers.below(4) / 100);
	await ask(walk, 'createWithdrawal', { amount, details }, walker);
}

/** Players of all walks of the group meet in one market. */
async function bet(walk: Walk, walker: Walker, { side, runner }: { side: string; runner: number }): Promise<void> {
	const about = {
		marketId: walk.marketId,
		runnerId: String(runner + 1),
		side,
		price: 2,
		stake: inCurrency(walker.currency, BET),
	};
	await ask(walk, 'placeBetV2', about, walker);
}

/** A deposit by receipt; a payment of the provider may have the same UTR. */
async function deposit(walk: Walk, amount: number, walker: Walker): Promise<void> {
	const stored = await server.call('storeImage', { image: walk.picture }, walker);
	expectNoFault(stored);
	const imageRef = stored?.result?.['imageRef'];
	if (imageRef) await ask(walk, 'createDeposit', { amount, utr: utrOf(walk), imageRef }, walker);
}

/** A player looks for friends who qualified and claims the reward, or leaves, or takes a break. */
async function protectOrRefer({ numbers, walkers, known }: Walk, walker: Walker, id: number): Promise<void> {
	if (numbers.chance(10)) {
		const answer = await (numbers.chance(50)
			? server.call('excludeSelf', { months: 6, password: PASSWORD }, walker)
			: server.call('takeTimeOut', { hours: 24 }, walker));
		expectNoFault(answer);
		if (answer?.status !== 200) return;
		for (const own of walkers) if (own.mobile === walker.mobile) own.isBarred = true;
	} else if (numbers.chance(20)) {
		await expectKnown(server.call('claimReferral', { userReferDetailId: String(id) }, walker));
	} else {
		for (const friend of await claimReferrals(walker)) known.push({ kind: 'REFERRAL', id: friend });
	}
}

/** Claims twice at once for all friends who qualified. @returns the ids of the player's referrals */
async function claimReferrals(login: Login): Promise<number[]> {
	const answer = await server.call('getReferralDetails', {}, login);
	expectNoFault(answer);
	const items = (answer?.result?.['items'] ?? []) as { id: string; canClaim: boolean }[];
	const claimed = items.filter(({ canClaim }) => canClaim).flatMap(({ id }) => [id, id]);
	await Promise.all(claimed.map((id) => expectKnown(server.call('claimReferral', { userReferDetailId: id }, login))));
	return items.map(({ id }) => Number(id));
}

async function claimBonus({ known }: Walk, id: string, login: Login): Promise<void> {
	const answer = await server.call('claimBonus', { id }, login);
	expectNoFault(answer);
	if (answer?.result) known.push({ kind: 'BONUS', id: Number(answer.result['id']) });
}

const claimLocked = (walk: Walk, login: Login): Promise<void> =>
	claimBonus(walk, walk.numbers.chance(50) ? walk.campaign : freeBetOf(walk.campaign), login);

/** An operator looks for what is wrong. */
async function findFindings({ known }: Walk, operator: string): Promise<void> {
	const answer = await server.operator('payment-queue', { kind: 'FINDING' }, operator);
	expectNoFault(answer);
	const found = (answer?.result ?? []) as unknown as { id: string }[];
	for (const { id } of found.slice(-3)) known.push({ kind: 'FINDING', id: Number(id) });
}

async function smallAct(
	walk: Walk,
	{ walker, id, amount, operator }: { walker: Walker; id: number; amount: number; operator: string },
): Promise<void> {
	const { numbers, campaign } = walk;
	switch (numbers.below(14)) {
		case 0:
			return await expectKnown(server.call('cancelWithdrawal', { id: `WITHDRAWAL-${id}` }, walker));
		case 1:
			return await expectKnown(server.call('checkPayment', { orderId: String(id) }, walker));
		case 2:
			return await claimBonus(walk, numbers.from([campaign, coinsOf(campaign), freeBetOf(campaign)]), walker);
		case 3:
			return await expectKnown(server.call('claimDailyCoins', {}, walker));
		case 4:
			return await dispute(walk, { id, currency: walker.currency }, operator);
		case 5:
			return await freeze(walker, numbers.chance(30) ? 'walk' : null, operator);
		case 6:
		case 7:
			return await deposit(walk, amount, walker);
		case 8:
			return await findFindings(walk, operator);
		case 13:
			return await expectKnown(server.operator('verify-identity', { ...named(walker), age: 30 }, operator));
		case 9:
			return await settleProvider(walk, { net: amount, currency: walker.currency }, operator);
		default: {
			const signed = numbers.chance(50) ? amount : -amount;
			return await adjust(walk, { walker, amount: signed, isBonus: numbers.chance(30) }, operator);
		}
	}
}

/** An operator opens a dispute of a payment, of a part or all; the operators end it later. */
async function dispute(
	{ numbers, known }: Walk,
	{ id, currency }: { id: number; currency: Walked },
	operator: string,
): Promise<void> {
	const about = { kind: 'PAYMENT', id: String(id) };
	const asked = {
		...about,
		...(numbers.chance(50) ? { amount: inCurrency(currency, 50) } : {}),
		event: 'dispute',
		reason: 'walk',
	};
	await expectKnown(server.operator('payment-decide', asked, operator));
	const shown = await server.operator('payment-show', about, operator);
	const disputes = (shown?.result?.['disputes'] ?? []) as { id: string }[];
	for (const each of disputes) known.push({ kind: 'DISPUTE', id: Number(each.id) });
}

const named = ({ playerId, currency }: Walker) => ({ userName: `walker${playerId}`, host: HOSTS[currency] });
const freeze = (walker: Walker, reason: string | null, operator: string): Promise<void> =>
	expectKnown(server.operator('player-freeze', { ...named(walker), reason }, operator));

/** The reference is one of few, so that it comes twice. */
const settleProvider = (
	{ seed }: Walk,
	{ net, currency }: { net: number; currency: Walked },
	operator: string,
): Promise<void> =>
	expectKnown(
		server.operator(
			'provider-settlement',
			{ pool: poolOf('PLAY', currency), reference: `S-${seed >> 2}`, net, fee: 1 },
			operator,
		),
	);

async function adjust(
	{ known }: Walk,
	{ walker, amount, isBonus }: { walker: Walker; amount: number; isBonus: boolean },
	operator: string,
): Promise<void> {
	const about = { ...named(walker), amount, reasonCode: isBonus ? 'BONUS' : 'TEST', reason: 'walk' };
	const answer = await server.operator('adjust', about, operator);
	expectNoFault(answer);
	if (answer?.result) known.push({ kind: 'ADJUSTMENT', id: Number(idIn(answer)) });
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

/** Sent twice at once, sometimes with another's signature. @param amount major units */
async function webhook(
	walk: Walk,
	orderId: number,
	amount: number,
	status = walk.numbers.from(STATUSES),
): Promise<void> {
	const { numbers, seed } = walk;
	const { id, secret } = simulatorKey(TOKEN_KEY);
	const word = {
		reference: numbers.chance(5) ? 'ELSEWHERE' : referenceOf('BLP', orderId),
		providerId: `p-${orderId}`,
		status,
		amount: Math.round(amount * 100),
		currency: numbers.chance(5) ? 'USD' : walk.walkers[0]?.currency,
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

/** The answer of a server that nothing kills: it may be busy, and is then asked again. */
async function answered(name: CallName, input: object, login: Login): Promise<Answer> {
	for (;;) {
		const answer = await server.call(name, input, login);
		if (answer && answer.status !== 503) return answer;
	}
}

/** Asks all that moves money again, twice at once: the answer that was given before, and one workflow for each. */
async function askAgain({ asked, walkers }: Walk): Promise<void> {
	for (const walker of walkers.slice(0, -1)) await claimReferrals(walker);
	for (const { name, input, login, id } of asked.values()) {
		const answers = await Promise.all([1, 2].map(() => answered(name, input, login)));
		const ids = new Set(answers.flatMap((answer) => idIn(answer) ?? []));
		// A request that was refused before may pass now that a payout failed, and then one of the two may come too soon.
		if (id !== null) expect([name, input, answers, ...ids]).toEqual([name, input, answers, id]);
		else expect(ids.size).toBeLessThan(2);
	}
}

const rowsOf = async (sql: string): Promise<unknown[]> => (await server.db.query(sql)).rows;

async function take(walk: Walk, disturbances: Disturbances): Promise<void> {
	await disturbances.over();
	for (const walker of walk.walkers) await server.call('claimDailyCoins', {}, walker);
	if (walk.numbers.chance(50)) await claimLocked(walk, walk.walkers[0] as Walker);
	for (let round = 0; round < ROUNDS; round++) {
		await disturbances.over();
		await Promise.all(Array.from({ length: ACTS_AT_ONCE }, () => act(walk)));
		disturbances.roundEnded();
	}
}

/** Each outcome of an order is asked for, and bonuses are claimed and wagered: the walks with odd seeds take what the others offer. */
async function lastBets(walk: Walk): Promise<void> {
	const [payer] = walk.walkers;
	if (payer) await order(walk, 100 + (walk.seed % 10) / 100, payer);
	const side = walk.seed % 2 === 0 ? 'LAY' : 'BACK';
	for (const walker of walk.walkers) {
		if (walker.isBarred) continue;
		await claimLocked(walk, walker);
		await bet(walk, walker, { side, runner: 0 });
	}
}

/** What was backed last loses. */
async function settle(marketId: string): Promise<void> {
	for (const [act, input] of Object.entries({ close: {}, settle: { winners: ['B'] } }))
		expect((await server.operator(act, { marketId, ...input }))?.status).toBe(200);
}

/** Transitions that are decided on or follow at once are made when chance has left them out. */
async function reachTheRest(walks: readonly Walk[]): Promise<void> {
	const until = Date.now() + REACHED_WITHIN_MS;
	for (let tries = 0; ; tries++) {
		const made = await transitionsMade(server.db);
		const missing = WALKED.filter((transition) => !made.includes(transition.name) && canBeNudged(transition));
		if (missing.length === 0) return;
		if (Date.now() > until) expect(missing.map(({ name }) => name)).toEqual([]);
		for (const transition of missing) await nudge(transition, walks[tries % walks.length] as Walk, tries);
		if (missing.some(({ event }) => event === 'time-out')) server.jump(2 * MINUTE_MS);
		await delay(NUDGE_EVERY_MS);
	}
}

/** Does what leads to a transition: on a workflow in its state, or by asking for another one. */
async function nudge({ kind, event, from, to, guard }: Transition, walk: Walk, tries: number): Promise<void> {
	const { rows } = await server.db.query<{ id: number; walletId: number; minor: number }>(
		`select id, wallet_id as "walletId", (data ->> 'amount')::bigint as minor from workflow
		 where kind = $1 and state = any($2) order by id desc limit 20`,
		[kind, from],
	);
	const found = rows[tries % Math.max(1, rows.length)];
	if (!found) return await supply({ kind, event, guard }, walk);
	const { id, walletId, minor } = found;
	const about = { kind, id: String(id), reason: 'walk' };
	const decide = (name: string) => expectKnown(server.operator('payment-decide', { ...about, event }, name));
	if (event === 'succeeded') await webhook(walk, id, minor / 100 + (to === 'REVIEW' ? 1 : 0), 'SUCCESS');
	else if (kind === 'WITHDRAWAL' && event === 'cancel') {
		const owner = await server.loginOf(walletId);
		await expectKnown(server.call('cancelWithdrawal', { id: `WITHDRAWAL-${id}` }, owner));
	} else for (const name of ['bala', 'chitra']) await decide(name);
}

const adjustmentOf = (walker: Walker, guard: string | null) => ({
	walker,
	amount: inCurrency(walker.currency, BET) * (isCreditGuard(guard) ? 1 : -1),
	isBonus: isBonusGuard(guard),
});

/** A new workflow of a kind, and the decision on which it goes on by itself; none where that would end what is wanted. */
async function supply({ kind, event, guard }: Pick<Transition, 'kind' | 'event' | 'guard'>, walk: Walk): Promise<void> {
	const { numbers, seed } = walk;
	const walker = walk.walkers.find(({ isBarred }) => !isBarred) ?? (walk.walkers[0] as Walker);
	switch (kind) {
		case 'PAYMENT':
			return await order(walk, 100 + numbers.below(10) / 100, walker);
		case 'WITHDRAWAL':
			await withdraw(walk, walker);
			return await approve(walk, kind);
		case 'DEPOSIT':
			walk.picture = await noise(seed, 1_000 + numbers.below(1_000));
			return await deposit(walk, inCurrency(walker.currency, BET), walker);
		case 'ADJUSTMENT':
			await adjust(walk, adjustmentOf(walker, guard), 'asha');
			return event === 'reject' ? undefined : await approve(walk, kind);
		case 'BONUS':
			return await claimLocked(walk, walker);
		case 'PROVIDER_SETTLEMENT':
			return await settleProvider(walk, { net: inCurrency(walker.currency, BET), currency: walker.currency }, 'bala');
		case 'FINDING': {
			// One of few UTRs, so that it is seen again before long.
			await order(walk, BET + 0.02, walker);
			await webhook(walk, walk.known.at(-1)?.id ?? 0, inCurrency(walker.currency, BET + 0.02), 'SUCCESS');
		}
	}
}

/** By two operators, of the workflow that was answered last. */
async function approve({ known }: Walk, kind: string): Promise<void> {
	const { id } = known.at(-1) ?? {};
	for (const name of ['bala', 'chitra']) {
		const decision = { kind, id: String(id ?? 0), event: 'approve', reason: 'walk' };
		await expectKnown(server.operator('payment-decide', decision, name));
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

async function group(seeds: readonly number[]): Promise<Group> {
	await server.kill();
	const walkers = await server.addWalkers(seeds.length, PLAYERS);
	const eventId = await server.addFixture();
	await server.start();
	for (const walker of walkers) await server.beginSeeds(walker);
	const campaign = `welcome-${seeds[0]}`;
	const budget = await setRules(server, campaign, seeds.length);
	const terms = { eventId, name: 'Match Odds', type: 'MATCH_ODDS', runners: ['A', 'B'] };
	const marketId = String((await server.operator('open-market', terms))?.result?.['marketId']);
	const pictures = await Promise.all(
		Array.from({ length: Math.ceil(seeds.length / WALKS_PER_PICTURE) }, (_, at) => noise(seeds[0] ?? 0, at)),
	);
	const walks = seeds.map(
		(seed, at): Walk => ({
			numbers: new SeededNumbers(seed),
			seed,
			campaign,
			walkers: walkers.slice(at * PLAYERS, (at + 1) * PLAYERS),
			marketId,
			picture: pictures[Math.floor(at / WALKS_PER_PICTURE)] ?? '',
			known: [],
			asked: new Map(),
		}),
	);
	const disturbances = new Disturbances(server, new SeededNumbers(seeds[0] ?? 0), walks.length * ROUNDS);
	await forEachWalk(walks, (walk) => take(walk, disturbances));
	await disturbances.over();
	await forEachWalk(walks, lastBets);
	if (seeds.length >= SHORT_FORM) await reachTheRest(walks);
	await settle(marketId);
	return { walks, campaign, budget };
}

/** Whatever waits is due at once after a restart; in a running server its pause goes on. */
async function restartLater(byMs: number): Promise<void> {
	await server.kill();
	server.shiftMs += byMs;
	await server.start();
}

/** A day later, after a restart in the middle of what was going on. */
async function expectWhole({ walks, campaign, budget }: Group): Promise<void> {
	await restartLater(DAY_MS + 60 * MINUTE_MS);
	await forEachWalk(walks, askAgain);
	// Providers are asked for three days about an order that failed.
	await restartLater(3 * DAY_MS + 60 * MINUTE_MS);
	// One that was approved last is sent now, and missed a day later.
	await expect.poll(() => rowsOf(UNSENT_PAYOUTS), { timeout: 60_000, interval: 200 }).toEqual([]);
	await restartLater(DAY_MS + 60 * MINUTE_MS);
	await expect.poll(() => rowsOf(STUCK), { timeout: 60_000, interval: 200 }).toEqual([]);
	const seeds = `${walks[0]?.seed} to ${walks.at(-1)?.seed}`;
	const campaigns = [campaign, coinsOf(campaign), freeBetOf(campaign)];
	const faults = [
		...WALKED_IN.map((currency) => disagreementsIn(poolOf('PLAY', currency))),
		PARTS_OF_COINS,
		OVERHELD,
		PAID_TWICE,
		referredMoreThan(REFERRAL_CAP),
	];
	for (const wrong of [
		...faults,
		...campaigns.flatMap((each) =>
			WALKED_IN.map((currency) => overspent(each, currency, inCurrency(currency, budget))),
		),
	])
		expect([seeds, await rowsOf(wrong)]).toEqual([seeds, []]);
	await server.kill();
	expect(server.faults()).toEqual([]);
	await expectSound(server.databaseUrl);
}

async function walkAll(count: number): Promise<void> {
	server = await WalkServer.create();
	onTestFinished(() => server.dispose());
	const made = new Set<string>();
	const missing = () => WALKED.filter(({ name }) => !made.has(name)).map(({ name }) => name);
	const size = Math.min(GROUP_SIZE, count);
	for (let from = 0, groups = 0; from < count; from += size, groups++) {
		if (groups > 0 && groups % GROUPS_PER_DATABASE === 0) {
			await server.dispose();
			server = await WalkServer.create();
		}
		const seeds = Array.from({ length: Math.min(size, count - from) }, (_, at) => FIRST_SEED + from + at);
		await expectWhole(await group(seeds));
		for (const name of await transitionsMade(server.db)) made.add(name);
		if (count > SHORT_FORM) console.log(`${from + seeds.length} walks: ${made.size} transitions of ${WALKED.length}`);
	}
	if (count >= SHORT_FORM) expect(missing()).toEqual([]);
}

it(
	`${WALKS} random walks with kills and jumps of the clock leave no money without a reason and nothing stuck, and make every transition`,
	{ timeout: Math.max(180_000, WALKS * 20_000) },
	() => walkAll(WALKS),
);
