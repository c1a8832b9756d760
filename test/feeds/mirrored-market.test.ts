/**
 * Markets of a stream beside ours in the real exchange, each definition written by hand: removals, results, and invalid
 * ones.
 */
import { pino } from 'pino';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Id } from '#contract/fields.ts';
import { marketType } from '#engine/market-types/all-market-types.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { LISTED_TYPES, marketTypeOf } from '#server/world/feeds/betfair/catalogue.ts';
import { MIRRORED_RULES, MirroredMarket, mirroredRunners } from '#server/world/feeds/betfair/mirrored-market.ts';
import { type MarketChange, type StreamDefinition, StreamMarket } from '#server/world/feeds/betfair/stream-market.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { expectSound } from '../support/audit.ts';
import { freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import { type Player, TestServer, testConfig } from '../support/server.ts';

let server: TestServer;
let player: Player;
let count = 0;
beforeAll(async () => {
	const feeds = { ...testConfig('').feeds, proposedResults: ['confirmed'] };
	server = await TestServer.start(undefined, { feeds });
	await openMarketMakers(server.running.exchange);
});
afterAll(() => server.dispose());

type Statuses = Record<number, string>;
type Changes = Partial<Omit<StreamDefinition, 'runners'>>;

/** A market of the stream and ours, with every runner at 2.00 to back. */
class Mirror {
	readonly stream: StreamMarket;
	readonly mirrored: MirroredMarket;
	readonly alarms: { msg: string; reason: string; marketId: number }[] = [];
	readonly #definition: StreamDefinition;

	private constructor(stream: StreamMarket, definition: StreamDefinition, market: MirroredMarket['market']) {
		this.stream = stream;
		this.#definition = definition;
		const log = pino({ level: 'error' }, { write: (line: string) => this.alarms.push(JSON.parse(line)) });
		this.mirrored = new MirroredMarket(stream, market, log);
	}

	/** @param theirs the stream's market type */
	static async open(theirs: string, names: readonly string[], numberOfWinners = 1, source = 'test'): Promise<Mirror> {
		player = await server.demoPlayer();
		const id = `1.${++count}`;
		const runners = names.map((name, at) => ({ id: at + 1, name, status: 'ACTIVE', sortPriority: at + 1 }));
		const definition: StreamDefinition = {
			status: 'OPEN',
			inPlay: false,
			betDelay: 0,
			numberOfWinners,
			marketTime: '2030-01-01T10:00:00.000Z',
			marketType: theirs,
			runners,
		};
		const kind = marketTypeOf(theirs);
		if (!kind) throw new Error(`No kind of market for ${theirs}.`);
		const market = await openMarketOf(server, await openTestMatch(server, { source }), {
			name: theirs,
			...kind,
			...(theirs === 'PLACE' ? { places: numberOfWinners } : {}),
			runners: mirroredRunners(id, kind.type, runners, ({ name }) => (name ? { name } : undefined)),
			betDelaySeconds: 0,
			rules: MIRRORED_RULES,
		});
		const mirror = new Mirror(new StreamMarket(id), definition, market);
		const rc = runners.map((runner) => ({ id: runner.id, atb: [[2, 500]], atl: [[2.2, 500]] }));
		await mirror.say({ img: true, rc } as Partial<MarketChange>);
		await mirror.define({});
		return mirror;
	}

	async say(change: Partial<MarketChange>): Promise<void> {
		this.stream.apply({ id: this.stream.id, ...change });
		await this.mirrored.follow(true);
	}

	/** A definition with these factors of the stream's runners, in per cent. */
	async weigh(factors: Record<number, number>, statuses: Statuses = {}): Promise<void> {
		const runners = this.#definition.runners.map((runner) => ({
			...runner,
			status: statuses[runner.id] ?? 'ACTIVE',
			...(factors[runner.id] === undefined ? {} : { adjustmentFactor: factors[runner.id] as number }),
		}));
		await this.say({ marketDefinition: { ...this.#definition, runners } });
	}

	get factors(): (number | undefined)[] {
		return this.mirrored.market.listing.runners.map(({ adjustmentFactorBp }) => adjustmentFactorBp);
	}

	/** A definition with these statuses, of the runners named alone where `only` says so. */
	async define(statuses: Statuses, changes: Changes = {}, only?: readonly number[]): Promise<void> {
		const runners = this.#definition.runners
			.filter(({ id }) => only?.includes(id) ?? true)
			.map((runner) => ({ ...runner, status: statuses[runner.id] ?? 'ACTIVE' }));
		await this.say({ marketDefinition: { ...this.#definition, ...changes, runners } });
	}

	/** Closes it with these winners; all others have lost. */
	async close(winners: readonly number[], changes: Changes = {}): Promise<void> {
		const statuses = this.#definition.runners.map(({ id }) => [id, winners.includes(id) ? 'WINNER' : 'LOSER']);
		await this.define(Object.fromEntries(statuses), { status: 'CLOSED', ...changes });
	}

	get ours() {
		return server.running.exchange.market(this.mirrored.market.listing.id);
	}

	/** Our runners that have this result, by name. */
	having(wanted: string): string[] {
		const { listing } = this.mirrored.market;
		return (this.ours?.results ?? []).flatMap((result, at) =>
			result === wanted ? [listing.runners[at]?.name ?? ''] : [],
		);
	}

	/** Backs the stream's runner with ₹100 at 2.00. */
	async bet(runner: number): Promise<void> {
		const { listing } = this.mirrored.market;
		const wanted = { marketId: String(listing.id), runnerId: `${this.stream.id}-${runner}`, side: 'BACK' as const };
		const asked = { ...wanted, price: 2, stake: 100, clientRequestId: freshRequestId() };
		const { body } = await server.call('placeBetV2', asked, player.token);
		expect(body.result?.status).toBe('MATCHED');
	}
}

const money = async () => {
	const { balance, exposure } = await server.result('getUserInfo', {}, player.token);
	return { balance, exposure };
};

it('the factors of a race stay with its listing, follow the stream, and are there after a restart', async () => {
	const race = await Mirror.open('WIN', ['Ash', 'Birch', 'Cedar']);
	expect(race.factors).toEqual([undefined, undefined, undefined]);
	await race.weigh({ 1: 22.12, 2: 13.15 });
	expect(race.factors).toEqual([2212, 1315, undefined]);
	await race.weigh({ 1: 25.5, 2: 13.15, 3: 40 }, { 2: 'REMOVED' });
	expect(race.factors).toEqual([2550, 1315, 4000]);
	expect(race.ours?.removed).toEqual([[1, 1315]]);
	const db = connect(server.database.url);
	const { rows } = await db.query<{ listing: { runners: { adjustmentFactorBp: number }[] } }>(
		'select listing from market_listing where id = $1',
		[race.mirrored.market.listing.id],
	);
	expect(rows[0]?.listing.runners.map(({ adjustmentFactorBp }) => adjustmentFactorBp)).toEqual([2550, 1315, 4000]);
	await db.end();
	const match = await Mirror.open('MATCH_ODDS', ['Home', 'Away']);
	await match.weigh({ 1: 50 });
	expect(match.factors).toEqual([undefined, undefined]);
});

it('every market type of a stream is decided and settled by winners', async () => {
	for (const theirs of LISTED_TYPES) {
		const names = theirs.startsWith('OVER_UNDER') ? ['Under', 'Over'] : ['Yes', 'No'];
		for (const winner of [1, 2]) {
			const mirror = await Mirror.open(theirs, names);
			const { type, ...shape } = marketTypeOf(theirs) ?? { type: '' };
			expect([theirs, marketType(type).decidedByWinners({ runners: 2, ...shape })]).toEqual([theirs, true]);
			await mirror.close([winner], { inPlay: true });
			expect([theirs, mirror.ours?.status, mirror.having('WIN')]).toEqual([theirs, 'SETTLED', [names[winner - 1]]]);
		}
	}
});

it('an over/under market pays backers of the winning side, whichever the stream names first', async () => {
	const mirror = await Mirror.open('OVER_UNDER_25', ['Under 2.5 Goals', 'Over 2.5 Goals']);
	// Over is our first runner, as a number of goals pays it.
	expect(mirror.mirrored.market.listing.runners.map(({ name }) => name)).toEqual(['Over 2.5 Goals', 'Under 2.5 Goals']);
	await mirror.bet(2);
	await mirror.close([2]);
	// 100 at evens, less 2 per cent.
	expect(await money()).toEqual({ balance: 20_098, exposure: 0 });
});

it('a selection with a handicap is a runner for each of its lines, and can be bet on', async () => {
	const runners = [-1.5, 1.5].map((hc, at) => ({ id: 7, hc, status: 'ACTIVE', sortPriority: at + 1 }));
	const listed = mirroredRunners('1.9', 'MATCH_ODDS', runners, () => undefined);
	expect(listed.map(({ id }) => v.is(Id, id))).toEqual([true, true]);
	const market = await openMarketOf(server, await openTestMatch(server), {
		name: 'Handicap',
		type: 'MATCH_ODDS',
		runners: listed,
		betDelaySeconds: 0,
		rules: MIRRORED_RULES,
	});
	const stream = new StreamMarket('1.9');
	const mirrored = new MirroredMarket(stream, market, pino({ level: 'silent' }));
	const definition: Omit<StreamDefinition, 'runners'> = {
		status: 'OPEN',
		inPlay: false,
		betDelay: 0,
		numberOfWinners: 1,
		marketTime: '2030-01-01T10:00:00.000Z',
	};
	const rc = runners.map(({ id, hc }) => ({ id, hc, atb: [[hc < 0 ? 1.8 : 2.2, 100]] }));
	stream.apply({ id: '1.9', marketDefinition: { ...definition, runners }, rc } as MarketChange);
	await mirrored.follow(true);
	const book = server.running.exchange.book(market.listing.id, 'PLAY');
	expect(book?.runners.map(({ back }) => back.map(({ price }) => price))).toEqual([[180], [220]]);
	const ended = runners.map((runner, at) => ({ ...runner, status: at === 0 ? 'LOSER' : 'WINNER' }));
	stream.apply({ id: '1.9', marketDefinition: { ...definition, status: 'CLOSED', runners: ended } });
	await mirrored.follow(true);
	expect(server.running.exchange.market(market.listing.id)?.results).toEqual(['LOSE', 'WIN']);
});

it.each(['MATCH_ODDS', 'TOURNAMENT_WINNER', 'COMPLETED_MATCH', 'OVER_UNDER_25'])(
	'a runner removed in %s is void, and the market goes on',
	async (theirs) => {
		const mirror = await Mirror.open(theirs, ['Kites', 'Bulls', 'Foxes']);
		await mirror.bet(2);
		await mirror.bet(3);
		await mirror.define({ 2: 'REMOVED' }, { status: 'SUSPENDED' });
		expect(await money()).toEqual({ balance: 19_900, exposure: 100 });
		await mirror.define({ 2: 'REMOVED' });
		expect(mirror.ours?.status).toBe('OPEN');
		await mirror.bet(3);
		await mirror.define({ 1: 'LOSER', 2: 'REMOVED', 3: 'WINNER' }, { status: 'CLOSED' });
		expect(mirror.ours?.status).toBe('SETTLED');
		expect(await money()).toEqual({ balance: 20_196, exposure: 0 });
		expect(mirror.alarms).toEqual([]);
	},
);

it('all runners removed void the market', async () => {
	for (const status of ['SUSPENDED', 'CLOSED'] as const) {
		for (const theirs of ['MATCH_ODDS', 'COMPLETED_MATCH', 'WIN']) {
			const mirror = await Mirror.open(theirs, ['Yes', 'No']);
			await mirror.bet(1);
			await mirror.define({ 1: 'REMOVED', 2: 'REMOVED_VACANT' }, { status, inPlay: true });
			expect([theirs, status, mirror.ours?.status]).toEqual([theirs, status, 'VOIDED']);
			expect(await money()).toEqual({ balance: 20_000, exposure: 0 });
		}
	}
});

it('a factor of the whole price is reduced as far as prices go', async () => {
	const mirror = await Mirror.open('WIN', ['Comet', 'Meteor', 'Star']);
	const { listing } = mirror.mirrored.market;
	mirror.stream.apply({
		id: mirror.stream.id,
		marketDefinition: {
			...(mirror.stream.definition as StreamDefinition),
			runners: (mirror.stream.definition?.runners ?? []).map((runner) =>
				runner.id === 3 ? { ...runner, status: 'REMOVED', adjustmentFactor: 100 } : runner,
			),
		},
	});
	await mirror.mirrored.follow(true);
	expect(server.running.exchange.market(listing.id)).toMatchObject({ status: 'OPEN', removed: [[2, 9999]] });
});

it('a closing definition that lacks runners suspends the market and alarms once; a complete one settles it', async () => {
	const mirror = await Mirror.open('WIN', ['Comet', 'Meteor', 'Star']);
	await mirror.bet(1);
	await mirror.define({ 2: 'REMOVED' }, { inPlay: true });
	for (let time = 0; time < 3; time++) await mirror.define({ 2: 'REMOVED' }, { status: 'CLOSED', inPlay: true }, [2]);
	expect(mirror.ours?.status).toBe('SUSPENDED');
	expect(await money()).toEqual({ balance: 19_900, exposure: 100 });
	expect(mirror.alarms).toHaveLength(1);
	expect(mirror.alarms[0]).toMatchObject({ marketId: mirror.mirrored.market.listing.id });
	expect(mirror.alarms[0]?.reason).toContain('lacks the runners 1, 3');
	await mirror.define({ 1: 'WINNER', 2: 'REMOVED', 3: 'LOSER' }, { status: 'CLOSED', inPlay: true });
	expect(mirror.ours?.status).toBe('SETTLED');
	expect(await money()).toEqual({ balance: 20_098, exposure: 0 });
});

it.each<[string, Statuses, string]>([
	['a runner without a result', { 1: 'WINNER', 2: 'ACTIVE', 3: 'LOSER' }, 'no result of the runners 2'],
	['a hidden runner', { 1: 'WINNER', 2: 'HIDDEN', 3: 'LOSER' }, 'no result of the runners 2'],
	['a result that the market cannot have', { 1: 'WINNER', 2: 'PLACED', 3: 'LOSER' }, 'none of this market'],
])('a closing definition with %s settles nothing', async (_, statuses, reason) => {
	const mirror = await Mirror.open('MATCH_ODDS', ['Kites', 'Bulls', 'The Draw']);
	await mirror.bet(1);
	await mirror.define(statuses, { status: 'CLOSED' });
	expect(mirror.mirrored.market.isSettled).toBe(false);
	expect(mirror.alarms.map((alarm) => alarm.reason)).toEqual([expect.stringContaining(reason)]);
	await mirror.define(statuses, { status: 'CLOSED' });
	expect(mirror.alarms).toHaveLength(1);
	await mirror.close([1]);
	expect(mirror.ours?.status).toBe('SETTLED');
});

it('an unlisted runner suspends the market, and its win settles nothing', async () => {
	const mirror = await Mirror.open('TOURNAMENT_WINNER', ['Kites', 'Bulls']);
	const definition = mirror.stream.definition as StreamDefinition;
	const late = (status: string) => ({ id: 9, status, sortPriority: 3 });
	await mirror.say({ marketDefinition: { ...definition, runners: [...definition.runners, late('ACTIVE')] } });
	expect(mirror.ours?.status).toBe('SUSPENDED');
	const lost = definition.runners.map((runner) => ({ ...runner, status: 'LOSER' }));
	await mirror.say({ marketDefinition: { ...definition, status: 'CLOSED', runners: [...lost, late('WINNER')] } });
	expect(mirror.ours?.status).toBe('SUSPENDED');
	expect(mirror.alarms.map(({ reason }) => reason)).toEqual([
		'the stream has runners that are not listed here: 9',
		'no result can be taken from its closing: its winner 9 is not listed here',
	]);
	await mirror.define({});
	expect(mirror.ours?.status).toBe('OPEN');
});

it.each(['ACTIVE', 'LOSER'])('a completed match closed without a winner (all %s) is void', async (status) => {
	const mirror = await Mirror.open('COMPLETED_MATCH', ['Yes', 'No']);
	await mirror.bet(2);
	await mirror.define({ 1: status, 2: status }, { status: 'CLOSED', inPlay: true });
	expect(mirror.ours?.status).toBe('VOIDED');
	expect(await money()).toEqual({ balance: 20_000, exposure: 0 });
});

it('a place market with fewer winners than announced is settled by its last definition', async () => {
	const names = ['Comet', 'Meteor', 'Star', 'Moon', 'Sun'];
	// Three places announced: two paid; two named for three.
	for (const [numberOfWinners, winners, profit] of [
		[2, [1, 2], 98],
		[3, [1, 2], 98],
	] as const) {
		const mirror = await Mirror.open('PLACE', names, 3);
		await mirror.bet(1);
		await mirror.close(winners, { numberOfWinners });
		expect(mirror.ours?.status).toBe('SETTLED');
		expect(mirror.having('WIN')).toEqual(winners.map((winner) => names[winner - 1]));
		expect(await money()).toEqual({ balance: 20_000 + profit, exposure: 0 });
	}
});

it('a place market with more winners than places is held, because the stream does not say which are tied', async () => {
	const mirror = await Mirror.open('PLACE', ['Comet', 'Meteor', 'Star', 'Moon', 'Sun'], 3);
	await mirror.bet(1);
	await mirror.close([1, 2, 3, 4]);
	expect(mirror.ours?.status).toBe('SUSPENDED');
	expect(mirror.alarms.map(({ reason }) => reason)).toEqual([
		expect.stringContaining('more winners than places, 4 for 3'),
	]);
	expect(await money()).toEqual({ balance: 19_900, exposure: 100 });
});

it('an unreadable change suspends the market until an image arrives, and its result still counts', async () => {
	const mirror = await Mirror.open('MATCH_ODDS', ['Kites', 'Bulls']);
	await mirror.bet(1);
	const garbled = { rc: [{ id: 1, atb: [[2]] }] } as unknown as Partial<MarketChange>;
	await mirror.say(garbled);
	expect(mirror.ours?.status).toBe('SUSPENDED');
	await mirror.say({ rc: [{ id: 1, atb: [[1.9, 20]] }] });
	expect(mirror.ours?.status).toBe('SUSPENDED');
	expect(mirror.alarms.map(({ reason }) => reason)).toEqual(['rc.0.atb.0.1 is missing']);
	await mirror.say({ img: true, rc: [{ id: 1, atb: [[1.9, 20]], atl: [[2, 20]] }] });
	expect(mirror.ours?.status).toBe('OPEN');
	await mirror.say(garbled);
	await mirror.close([1]);
	expect(await money()).toEqual({ balance: 20_098, exposure: 0 });
});

it('a result that members confirm follows the stream until it is confirmed: corrected, closed incompletely, opened again', async () => {
	const mirror = await Mirror.open('MATCH_ODDS', ['Kites', 'Bulls'], 1, 'confirmed');
	const waiting = async () => {
		const { rows } = await server.database.db.query<{ summary: string[] }>(
			"select preview -> 'summary' as summary from proposal where subject = $1 and state = 'OPEN'",
			[`market ${mirror.mirrored.market.listing.id}`],
		);
		return rows.flatMap(({ summary }) => summary.slice(1, -1));
	};
	await mirror.bet(1);
	await mirror.close([1], { inPlay: true });
	expect([mirror.ours?.status, await waiting()]).toEqual(['CLOSED', ['Kites: win']]);
	await mirror.close([2], { inPlay: true });
	expect(await waiting()).toEqual(['Bulls: win']);
	// A closing without a result of every runner takes nothing back; a market that is open again has no result.
	await mirror.define({ 1: 'WINNER' }, { status: 'CLOSED' });
	expect([await waiting(), mirror.alarms.length]).toEqual([['Bulls: win'], 1]);
	await mirror.close([1]);
	expect(await waiting()).toEqual(['Kites: win']);
	await mirror.define({}, { inPlay: true });
	expect([mirror.ours?.status, await waiting()]).toEqual(['CLOSED', []]);
	await mirror.close([1]);
	expect(await waiting()).toEqual(['Kites: win']);
	expect((await money()).exposure).toBe(100);
});

it('the ledger still balances after all of this', async () => {
	await expectSound(server.database.db);
});
