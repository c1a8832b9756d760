/** Rounds that everybody plays on a page: whatever is heard, lost or late, the player's bets stand there as the server has them. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { minorOf } from '#values/money.ts';
import { SharedRounds, type Snapshot } from '#web/features/casino/shared-rounds.ts';
import { ofThisLogin } from '#web/features/casino/use-bet-requests.ts';
import { countVisit, useVisit } from '#web/features/casino/use-round.ts';
import { useSession } from '#web/store/session.ts';

type Bet = Snapshot['mine'][number] & { place: number };
type Game = Omit<Snapshot, 'mine'> & { mine: readonly Bet[] };

const bet = (betId: string, state: string, place = 1, payout = 0): Bet => ({
	betId,
	round: state === 'WAITING' ? '' : '7',
	state,
	stake: minorOf(1_000),
	payout: minorOf(payout),
	isInterrupted: false,
	place,
});
const game = (version: number, mine: readonly Bet[], phase = 'BETTING'): Game => ({
	state: { version, round: '7', phase, leftMs: null, commitment: '', beacon: null },
	recent: [],
	mine,
	chain: { isDevelopment: true, beacon: null },
});

/** What the server answers next. */
let answer: () => Game | Promise<Game>;
const newRounds = () =>
	new SharedRounds<Game>({
		history: 3,
		ask: async () => await answer(),
		markOf: ({ phase, round }) => (phase === 'DECIDED' ? { round } : null),
		placeOf: ({ place }) => place,
		endedAs: (ended) => ended,
		listen: () => [],
	});
const idsOf = (rounds: SharedRounds<Game>): string[] => rounds.use.getState().mine.map(({ betId }) => betId);

let rounds: SharedRounds<Game>;
beforeEach(async () => {
	rounds = newRounds();
	answer = () => game(1, []);
	await rounds.refresh();
	useVisit.setState({ net: minorOf(0), rounds: 0 });
});

describe('a bet that waits', () => {
	it('stays when a bet before it in the same place is paid', () => {
		rounds.receiveBet(bet('1', 'OPEN'));
		rounds.receiveBet(bet('w1', 'WAITING'));
		rounds.receiveBet(bet('1', 'WON', 1, 2_000));
		expect(idsOf(rounds).sort()).toEqual(['1', 'w1']);
	});

	it('becomes the bet that is placed in its place, and no other', () => {
		rounds.receiveBet(bet('w1', 'WAITING'));
		rounds.receiveBet(bet('w2', 'WAITING', 2));
		rounds.receiveBet(bet('1', 'OPEN'));
		expect(idsOf(rounds)).toEqual(['1', 'w2']);
	});

	it('goes when it is refused, and its place says why', () => {
		rounds.receiveBet(bet('w1', 'WAITING', 2));
		rounds.receiveBet({ ...bet('w1', 'VOID', 2), round: '' }, { code: 'LOSS_LIMIT', message: 'No more today.' });
		expect(idsOf(rounds)).toEqual([]);
		const refused = { said: 'No more today.', stake: { stake: 1_000 } };
		expect(rounds.use.getState().refusals).toEqual({ 2: refused });
		// It is about no number, so no field is marked.
		rounds.receiveBet({ ...bet('w3', 'VOID'), round: '' }, { code: 'TABLE_CLOSED', message: 'It is closed.' });
		expect(rounds.use.getState().refusals).toEqual({ 1: { said: 'It is closed.', stake: null }, 2: refused });
		rounds.clearRefusal(2);
		expect(rounds.use.getState().refusals[2]).toBeNull();
	});

	it('that the server no longer has is said to be missing', async () => {
		rounds.receiveBet(bet('w1', 'WAITING'));
		await rounds.refresh();
		expect(idsOf(rounds)).toEqual([]);
		expect(rounds.use.getState().refusals[1]).toMatchObject({ said: expect.stringMatching(/./), stake: null });
	});
});

it('counts a bet to the visit once, however often its end is told', () => {
	rounds.receiveBet(bet('1', 'OPEN'));
	for (let told = 0; told < 3; told++) rounds.receiveBet(bet('1', 'WON', 1, 3_000));
	rounds.receiveBet(bet('2', 'OPEN', 2));
	rounds.receiveBet(bet('2', 'VOID', 2, 1_000));
	expect(useVisit.getState()).toEqual({ net: 2_000, rounds: 1 });
	expect(idsOf(rounds)).toEqual(['1']);
});

it('counts a bet whose end only a snapshot tells, and not again when an answer about its beginning is late', async () => {
	rounds.receiveBet(bet('1', 'OPEN'));
	answer = () => game(2, [bet('1', 'WON', 1, 3_000)], 'DECIDED');
	await rounds.refresh();
	const counted = { net: 2_000, rounds: 1 };
	expect(useVisit.getState()).toEqual(counted);
	rounds.receiveBet(bet('1', 'OPEN'));
	rounds.receiveBet(bet('1', 'WON', 1, 3_000));
	expect(useVisit.getState()).toEqual(counted);
	expect(rounds.use.getState().mine).toMatchObject([{ betId: '1', state: 'WON' }]);
});

it('a bet that is cancelled while an answer is on its way stays away', async () => {
	const { promise, resolve } = Promise.withResolvers<Game>();
	rounds.receiveBet(bet('w1', 'WAITING'));
	answer = () => promise;
	const asked = rounds.refresh();
	rounds.removeBet('w1');
	resolve(game(2, [bet('w1', 'WAITING')]));
	await asked;
	expect(idsOf(rounds)).toEqual([]);
});

it('what the hub says while an answer is on its way is newer than the answer', async () => {
	const { promise, resolve } = Promise.withResolvers<Game>();
	answer = () => promise;
	const asked = rounds.refresh();
	rounds.receiveState(game(5, [], 'LOCKED').state);
	rounds.receiveBet(bet('1', 'WON', 1, 3_000));
	resolve(game(4, [bet('1', 'OPEN')]));
	await asked;
	const { snapshot, mine } = rounds.use.getState();
	expect(snapshot?.state).toMatchObject({ version: 5, phase: 'LOCKED' });
	expect(mine).toMatchObject([{ betId: '1', state: 'WON' }]);
});

it('an answer to the login before is asked for again', async () => {
	const { promise, resolve } = Promise.withResolvers<Game>();
	answer = () => promise;
	const asked = rounds.refresh();
	useSession.setState(({ loginCount }) => ({ loginCount: loginCount + 1 }));
	answer = () => game(3, [bet('2', 'OPEN')]);
	resolve(game(2, [bet('1', 'OPEN')]));
	await asked;
	expect(idsOf(rounds)).toEqual(['2']);
});

it('the result of a visit is that of the player who is logged in', () => {
	countVisit({ state: 'SETTLED', stake: minorOf(1_000), payout: minorOf(0) });
	expect(useVisit.getState()).toEqual({ net: -1_000, rounds: 1 });
	useSession.setState(({ loginCount }) => ({ loginCount: loginCount + 1 }));
	expect(useVisit.getState()).toEqual({ net: 0, rounds: 0 });
});

it('a request of the login before shows its answer to nobody, and is not repeated for another player', async () => {
	const { promise, resolve } = Promise.withResolvers<Bet>();
	let sent = 0;
	const request = ofThisLogin(
		() => {
			sent += 1;
			return promise;
		},
		(placed) => rounds.receiveBet(placed),
	);
	const asked = request();
	useSession.setState(({ loginCount }) => ({ loginCount: loginCount + 1 }));
	resolve(bet('1', 'OPEN'));
	await asked;
	await request();
	expect([idsOf(rounds), sent]).toEqual([[], 1]);
});

it('a page that lost any messages has after its next snapshot the bets that a new page has', async () => {
	const step = fc.record({ place: fc.integer({ min: 1, max: 3 }), isLost: fc.boolean(), isAsked: fc.boolean() });
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
			const own = newRounds();
			/** Those of the round, as the server has them: in each place one is placed, paid, and followed by the next. */
			let bets: readonly Bet[] = [];
			answer = () => game(bets.length, bets);
			for (const { place, isLost, isAsked } of steps) {
				const open = bets.find((known) => known.place === place && known.state === 'OPEN');
				const now = open ? { ...open, state: 'WON', payout: minorOf(2_000) } : bet(`${bets.length}`, 'OPEN', place);
				bets = [...bets.filter(({ betId }) => betId !== now.betId), now];
				if (!isLost) own.receiveBet(now);
				// Messages go on being lost while a page asks now and then.
				if (isAsked) await own.refresh();
			}
			await own.refresh();
			const fresh = newRounds();
			await fresh.refresh();
			const shown = (of: SharedRounds<Game>) => of.use.getState().mine.map(({ betId, state }) => `${betId} ${state}`);
			expect(shown(own).sort()).toEqual(shown(fresh).sort());
		}),
		{ numRuns: 60 },
	);
});
