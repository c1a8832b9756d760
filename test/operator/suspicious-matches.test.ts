/** The report of matches that look arranged says what a slow model says. */
import { beforeAll, expect, it } from 'vitest';
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import type { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { signUp, signUpElsewhere } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

type Pair = OperatorResult<(typeof OPERATOR_CALLS)['suspicious-matches']>[number];

const PASSWORD = 'Correct-horse-9';
const dayAfter = (days: number) => dayName(dayOf(Date.now(), HOME_ZONE) + days);
const PERIOD = { from: dayAfter(0), to: dayAfter(1) };

let server: TestServer;
let owner: ConsoleClient;
beforeAll(async () => {
	server = await sharedServer();
	owner = await member('owner of matches', null);
});

async function member(name: string, brands: string[] | null): Promise<ConsoleClient> {
	const passwordHash = await hashPassword(PASSWORD);
	const { directory } = server.running.staff;
	await directory.add({ name, passwordHash, roles: ['owner'], brands }, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

type SignedUp = Awaited<ReturnType<typeof signUp>>;

interface Bet {
	backer: SignedUp;
	layer: SignedUp;
	stake: number;
	price: number;
}

async function matched(match: TestMatch, { backer, layer, stake, price }: Bet): Promise<void> {
	await server.result('placeBetV2', betOn(match, { stake, price, side: 'BACK' }), backer.token);
	await server.result('placeBetV2', betOn(match, { stake, price, side: 'LAY' }), layer.token);
}

const namesOf = ({ one, other }: Pair) => [one?.userName, other?.userName].sort().join(' ');
/** From the view of the account that comes first by name. */
const gainOf = ({ one, other, gain }: Pair) => ((one?.userName ?? '') < (other?.userName ?? '') ? gain : -gain);

interface Expected {
	stake: number;
	gain: number;
	matches: number;
	open: number;
	farOff: number;
}

const pairOf = ({ backer, layer }: Bet) => [backer.userName, layer.userName].sort().join(' ');

/** Whether a match is more than a tenth outside the trades of other pairs before and after it. */
function isFarOff(bets: readonly Bet[], at: number): boolean {
	const bet = bets[at] ?? expect.unreachable();
	const isOther = (each: Bet) => pairOf(each) !== pairOf(bet);
	const around = [bets.slice(0, at).findLast(isOther), bets.slice(at + 1).find(isOther)].flatMap((each) =>
		each ? [each.price] : [],
	);
	return around.length > 0 && (bet.price < 0.9 * Math.min(...around) || bet.price > 1.1 * Math.max(...around));
}

onSeeds(
	[1, 2],
	'has each suspicious pair once, with what passed between the two, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const first = await signUp(server);
		const twin = await signUp(server, { mobile: first.mobile });
		const alone = [await signUp(server), await signUp(server)];
		const third = await signUp(server, { mobile: alone[0]?.mobile ?? '' });
		const players = [first, twin, third, ...alone];
		const mobiles = new Map(players.map(({ userName, mobile }) => [userName, mobile]));
		const expected = new Map<string, Expected>();
		for (let at = 0; at < 6; at++) {
			const match = await openTestMatch(server);
			const end = numbers.from(['won', 'lost', 'void', 'open'] as const);
			const bets: Bet[] = [];
			for (let count = 0; count < 7; count++) {
				const [backer, layer] = [numbers.from(players), numbers.from(players)];
				if (backer === layer) continue;
				const bet = { backer, layer, stake: 10 * (1 + numbers.below(9)), price: numbers.from([1.9, 2, 2.1, 3.2]) };
				await matched(match, bet);
				bets.push(bet);
			}
			if (end === 'won' || end === 'lost') await match.settle(end === 'won' ? 0 : 1);
			if (end === 'void') {
				await server.act('void', { marketId: match.marketId });
				continue;
			}
			for (const [index, bet] of bets.entries()) {
				const pair = expected.get(pairOf(bet)) ?? { stake: 0, gain: 0, matches: 0, open: 0, farOff: 0 };
				const ofBacker = end === 'open' ? 0 : end === 'won' ? bet.stake * (bet.price - 1) : -bet.stake;
				pair.stake += bet.stake;
				pair.gain += pairOf(bet).startsWith(`${bet.backer.userName} `) ? ofBacker : -ofBacker;
				pair.matches += 1;
				pair.open += end === 'open' ? 1 : 0;
				pair.farOff += isFarOff(bets, index) ? 1 : 0;
				expected.set(pairOf(bet), pair);
			}
		}
		const isLinked = (names: string) => {
			const [one = '', other = ''] = names.split(' ');
			return mobiles.get(one) === mobiles.get(other);
		};
		for (const [names, { farOff }] of expected) if (!isLinked(names) && farOff === 0) expected.delete(names);
		expect([...expected.keys()].filter(isLinked).length).toBeGreaterThan(0);
		expect([...expected.keys()].filter((names) => !isLinked(names)).length).toBeGreaterThan(0);
		const own = new Set(players.map(({ userName }) => userName));
		const pairs = (await owner.result<Pair[]>('suspicious-matches', PERIOD)).filter(({ one }) =>
			own.has(one?.userName ?? ''),
		);
		expect(pairs.map(namesOf).sort()).toEqual([...expected.keys()].sort());
		for (const pair of pairs) {
			const { gain, ...counted } = expected.get(namesOf(pair)) ?? expect.unreachable();
			expect(pair).toMatchObject({ ...counted, why: isLinked(namesOf(pair)) ? 'same mobile' : null });
			expect(gainOf(pair)).toBeCloseTo(gain, 2);
		}
		const amounts = pairs.map(({ why, gain }) => [why === null ? 1 : 0, -Math.abs(gain)] as const);
		expect(amounts).toEqual(amounts.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]));
	},
	'thorough',
);

it('counts matches beside the market, between the trades of others, however many there are in a row', async () => {
	const one = await signUp(server);
	const twin = await signUp(server, { mobile: one.mobile });
	const others = { backer: await signUp(server), layer: await signUp(server) };
	const match = await openTestMatch(server);
	await matched(match, { ...others, stake: 10, price: 2 });
	await matched(match, { backer: one, layer: twin, stake: 10, price: 2.1 });
	await matched(match, { backer: one, layer: twin, stake: 10, price: 9 });
	await matched(match, { backer: twin, layer: one, stake: 10, price: 9 });
	await matched(match, { ...others, stake: 10, price: 2.2 });
	const pairs = await owner.result<Pair[]>('suspicious-matches', PERIOD);
	const pair = pairs.find((each) => [one.userName, twin.userName].includes(each.one?.userName ?? ''));
	expect(pair).toMatchObject({ matches: 3, farOff: 2, open: 3, gain: 0 });
	expect(pair?.markets).toEqual([{ marketId: match.marketId, eventId: match.eventId }]);
});

it('names staff of a brand no account of another one, and keeps the pair', async () => {
	const own = await signUp(server);
	const twins = [await signUpElsewhere(server, own.mobile), await signUpElsewhere(server, own.mobile)];
	const match = await openTestMatch(server);
	for (const twin of twins) {
		await server.result('placeBetV2', betOn(match, { stake: 10, price: 2, side: 'BACK' }), own.token);
		const lay = betOn(match, { stake: 10, price: 2, side: 'LAY' });
		expect((await server.callElsewhere('placeBetV2', lay, twin.token)).code).toBeNull();
	}
	const isMet = ({ markets }: Pair) => markets.some(({ marketId }) => marketId === match.marketId);
	const shownTo = async (client: ConsoleClient) =>
		(await client.result<Pair[]>('suspicious-matches', PERIOD)).filter(isMet);
	const account = { playerId: String(own.userId), userName: own.userName, brand: 'localhost' };
	const pairs = await shownTo(await member('of one side', ['localhost']));
	expect(pairs).toMatchObject(
		[1, 2].map(() => ({ one: account, other: null, matches: 1, stake: 10, why: 'same mobile' })),
	);
	expect(new Set(pairs.map(({ pair }) => pair)).size).toBe(2);
	const ofElsewhere = await shownTo(await member('of the other side', ['127.0.0.1']));
	expect(ofElsewhere.map(({ one }) => one)).toEqual([null, null]);
	expect(ofElsewhere.map(({ other }) => other?.userName).sort()).toEqual(twins.map(({ userName }) => userName).sort());
	for (const pair of await shownTo(owner)) expect([pair.one, pair.other]).not.toContain(null);
});

it('shows staff of a brand only pairs with its players, and has 31 days at most', async () => {
	const ofRoyal = await member('of royal', ['royal.localhost']);
	expect(await ofRoyal.result<Pair[]>('suspicious-matches', PERIOD)).toEqual([]);
	const ofDemo = await member('of localhost', ['localhost']);
	expect(await ofDemo.result<Pair[]>('suspicious-matches', PERIOD)).not.toEqual([]);
	expect(await owner.code('suspicious-matches', { from: dayAfter(-31), to: dayAfter(0) })).toBe('VALIDATION_FAILED');
	expect(await owner.code('suspicious-matches', { from: dayAfter(-30), to: dayAfter(0) })).toBe('');
});
