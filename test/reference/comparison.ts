/**
 * Random scenarios on the engine and on the slow reference: after every command the same answer, the same fills, lapses
 * and voids, the same free cash and exposure of each player and the same books; at the end the same money. Half-way an
 * engine is rebuilt from the first one's effects, and has the same state.
 */
import { expect } from 'vitest';
import type { Command, Settlement } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import { changeByWalk, isChange } from '../engine/change-by-walk.ts';
import { RecordedEffects } from '../engine/recorded-effects.ts';
import { matchedBets, reverseByWalk } from '../engine/reverse-by-walk.ts';
import { settleByWalk } from '../engine/settle-by-walk.ts';
import { PLAYERS, RandomCommands, SeededNumbers } from './random-commands.ts';
import { type RandomMarket } from './random-markets.ts';
import { ReferenceExchange } from './reference-exchange.ts';
import { tellReference } from './reference-run.ts';

const COMMANDS = 70;

/** An expectation made a million times: the costly comparison with its message only when the two differ. */
function same(actual: unknown, expected: unknown, message?: string): void {
	if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual, message).toEqual(expected);
}

class Comparison {
	readonly engine = createEngine();
	readonly effects = new RecordedEffects(this.engine);
	readonly reference = new ReferenceExchange();
	readonly #markets: readonly RandomMarket[];
	accepted = 0;
	refusals = new Set<string>();
	/** What rules were reached. */
	readonly reached = new Set<string>();

	/** Of an engine that settles and changes every market by one command, while the other one walks; null where neither walks. */
	readonly #atOnce: Twin | null;

	#taken: TakenBack | null = null;

	constructor(markets: readonly RandomMarket[], walks = false) {
		this.#markets = markets;
		const engine = createEngine();
		this.#atOnce = walks ? { engine, effects: new RecordedEffects(engine) } : null;
	}

	/** Compares with the engine that does the same by one command. */
	#walk(command: Command): Outcome {
		const { engine, effects } = this;
		const numbers = new SeededNumbers(1 + engine.counters().lastBetId);
		let steps = 0;
		const posted = effects.postings.length;
		const onStep = () => {
			steps++;
			engine.checkInvariants();
			same(effects.rebuild().hash(), engine.hash(), 'a recovered engine stands at the same step');
		};
		if (!isChange(command) && !isEnding(command)) return engine.apply(command, effects);
		const outcome = isChange(command)
			? changeByWalk(engine, effects, command, numbers, onStep)
			: (this.#settleTwice(command, numbers, onStep) ?? settleByWalk(engine, effects, command, numbers, onStep));
		if (steps > 2) this.reached.add('walk of several steps');
		if (effects.postings.slice(posted).some(({ debit }) => debit === 'rounding')) this.reached.add('rounding lent');
		return outcome;
	}

	/**
	 * Now and then a market is first settled by another result, or void, and this settlement is taken back by a walk. The
	 * reference, which knows nothing of it, has to agree with what is left.
	 * @returns null when it is settled once
	 */
	#settleTwice(command: Ending, numbers: SeededNumbers, onStep: () => void): Outcome | null {
		const { engine, effects } = this;
		const { marketId } = command;
		const trial = effects.rebuild();
		if (!numbers.chance(60) || !trial.apply(command, effects.copy(trial)).ok) return null;
		const bets = matchedBets(engine, effects, marketId);
		if (bets.length === 0) return null;
		const paidBefore = effects.settledPlayers.length;
		const wrong = engine.apply(otherEnding(command), effects).ok ? otherEnding(command) : voidOf(command);
		if (engine.market(marketId)?.status !== 'SETTLED' && !engine.apply(wrong, effects).ok)
			throw new Error('a market that can be settled cannot be void');
		const payments = effects.settledPlayers.slice(paidBefore);
		const nextStep = engine.market(marketId)?.nextStep ?? 0;
		const settlement = { bets, payments, nextStep };
		const next = { results: null, ...command };
		const isReopened = numbers.chance(50);
		this.#taken = { wrong, settlement, isReopened };
		this.reached.add(isReopened ? 'reopening by a walk' : 'resettlement by a walk');
		const afterwards = { next: isReopened ? null : next };
		const reversed = reverseByWalk(engine, effects, { marketId, settlement, afterwards }, numbers, onStep);
		return isReopened && reversed.ok ? settleByWalk(engine, effects, command, numbers, onStep) : reversed;
	}

	/** The other engine settles, takes back and settles by three commands, or by two. */
	#endAtOnce({ engine, effects }: Twin, command: Ending, { wrong, settlement, isReopened }: TakenBack): Outcome {
		const { marketId } = command;
		engine.apply(wrong, effects);
		if (!isReopened) {
			const next = { results: null, ...command, kind: 'resettle-market' as const };
			return engine.apply({ ...next, ...settlement }, effects);
		}
		engine.apply({ kind: 'reopen-market', atMs: 0, marketId, ...settlement }, effects);
		return engine.apply(command, effects);
	}

	#compareAtOnce(command: Command, outcome: Outcome): void {
		if (!this.#atOnce) return;
		const { engine, effects } = this.#atOnce;
		const taken = this.#taken;
		this.#taken = null;
		const atOnce =
			taken && isEnding(command) ? this.#endAtOnce(this.#atOnce, command, taken) : engine.apply(command, effects);
		same(codeOf(atOnce), codeOf(outcome));
		if (!isChange(command) && !isEnding(command)) return;
		same([...this.effects.bets], [...effects.bets]);
		for (const kind of ['settledBets', 'settledPlayers', 'voids', 'lapses'] as const)
			same(inOrder(this.effects[kind]), inOrder(effects[kind]));
		for (const { walletId } of PLAYERS) {
			const [walked, settled] = [this.engine.wallet(walletId), engine.wallet(walletId)];
			same([walked?.cash, walked?.exposure], [settled?.cash, settled?.exposure]);
		}
		same(accountsOf(this.engine), accountsOf(engine));
		same(this.engine.market(command.marketId)?.results, engine.market(command.marketId)?.results);
	}

	/** Throws with what differs. */
	tell(command: Command): void {
		const { effects } = this;
		const [told, filled, lapsed] = [effects.told, effects.fills.length, effects.lapses.length];
		const [voided, settled] = [effects.voids.length, effects.settledBets.length];
		const reducedBefore = effects.reduced;
		const before = this.engine.hash();
		const outcome = this.#atOnce ? this.#walk(command) : this.engine.apply(command, effects);
		this.#compareAtOnce(command, outcome);
		const answer = tellReference(this.reference, command);
		if (outcome.ok) this.accepted++;
		else {
			this.refusals.add(outcome.code);
			this.#noteLacking(command, outcome.code);
			same(effects.told, told, 'a refused command tells nothing');
			same(this.engine.hash(), before, 'a refused command changes nothing');
		}
		same(codeOf(outcome), answer.code === null ? null : codeOfReference(answer.code));
		const fills = effects.fills.slice(filled).map(({ taker, maker, price, stake }) => ({ taker, maker, price, stake }));
		same(fills, answer.fills);
		const lapses = effects.lapses.slice(lapsed).map(({ betId }) => betId);
		same(
			lapses.sort((a, b) => a - b),
			answer.lapsed,
		);
		if (outcome.ok && answer.remaining !== null) same(outcome.remaining, answer.remaining);
		if (command.kind === 'remove-runner') {
			const voids = effects.voids.slice(voided).map(({ betId }) => betId);
			same(
				voids.sort((a, b) => a - b),
				answer.voided,
			);
		}
		this.compareTriggers();
		this.#compareGroups();
		this.compareMoney();
		if (outcome.ok) this.compareBooks(command);
		this.#note(command, outcome, {
			fills: fills.length,
			lapses: lapses.length,
			voids: effects.voids.length - voided,
			settled: effects.settledBets.length - settled,
			reduced: effects.reduced - reducedBefore,
		});
	}

	/** The rules that random commands do not reach every time. */
	#note(
		command: Command,
		outcome: Outcome,
		{ fills, lapses, voids, settled, reduced }: Record<'fills' | 'lapses' | 'voids' | 'settled' | 'reduced', number>,
	): void {
		if (!outcome.ok) return;
		const { effects, reached } = this;
		if (command.kind === 'place-bet' && outcome.dueAtMs !== undefined) reached.add('delay');
		if (command.kind === 'admit-bet' && fills > 0) reached.add('match after a delay');
		if (command.kind === 'place-bet' && outcome.price !== undefined) reached.add('post-only bet moved');
		if (command.kind === 'replace-bet' && outcome.price !== undefined)
			reached.add('post-only bet moved by a new price');
		if (command.kind === 'expire-bets' && lapses > 0) reached.add('expiry');
		if (command.kind === 'look-at-triggers' && lapses > 0) reached.add('volume reached');
		if (command.kind === 'turn-in-play') this.#noteAuction({ fills, lapses });
		this.#noteOwn(command, { fills, lapses });
		if (effects.lapses.at(-1)?.reason === 'WOULD_MATCH') reached.add('post-only bet met at the end of a delay');
		if (command.kind === 'admit-bet' && lapses > 0) reached.add('lapse at the end of a delay');
		if (command.kind === 'suspend-market' && !command.lapseUnmatched && lapses > 0) reached.add('lapse within a delay');
		if (command.kind === 'remove-runner' && lapses > 0) reached.add('lapse by a removal');
		if (effects.reduced > 0) reached.add('reduction');
		if (effects.repriced > 0) reached.add('cut of a waiting lay');
		if (command.kind === 'return-runner') reached.add('return');
		if (command.kind === 'correct-reduction' && reduced > 0) reached.add('correction');
		if (command.kind === 'return-runner' && reduced > 0) reached.add('reduction taken back');
		if (command.kind === 'remove-runner' && !this.#isReducible(command.marketId) && voids > 0)
			reached.add('removal without a reduction');
		if (command.kind === 'settle-market' && settled > 0) {
			if (command.places !== undefined) reached.add('fewer places');
			const { winners = 1 } = this.#markets.find(({ marketId }) => marketId === command.marketId) ?? {};
			const wins = command.results.filter((result) => result === 'WIN').length;
			if (command.results.includes('TIE') || wins > Math.max(1, winners)) reached.add('dead heat');
		}
		if ((command.kind === 'remove-runner' || command.kind === 'return-runner') && this.#isShort(command.marketId)) {
			reached.add('shortfall');
		}
	}

	/** There is money, and bets elsewhere lack it. */
	#noteLacking(command: Command, code: string): void {
		if (command.kind !== 'place-bet' || code !== 'INSUFFICIENT_FUNDS') return;
		const { walletId, marketId } = command;
		const lacking = this.reference.lackedElsewhere(walletId, marketId);
		if (lacking > 0n && (this.engine.wallet(walletId)?.cash ?? 0) > 0) this.reached.add('bet beside a short position');
	}

	#noteAuction({ fills, lapses }: Record<'fills' | 'lapses', number>): void {
		const { effects, reached } = this;
		if (effects.atStart > 0 && fills > 0) reached.add('match at the starting price');
		const sold = effects.fills.slice(-fills || effects.fills.length);
		if (sold.some(({ taker, maker }) => [taker, maker].some((betId) => effects.bets.get(betId)?.takesStart)))
			reached.add('rest of a bet at the starting price');
		if (fills > 0 && new Set(sold.map(({ price }) => price)).size > 1) reached.add('several starting prices');
		const lapsed = effects.lapses.slice(-lapses || effects.lapses.length);
		const hadPart = lapsed.some(
			({ betId, reason }) => reason === 'NOT_FILLED' && (effects.bets.get(betId)?.matched ?? 0) > 0,
		);
		if (hadPart) reached.add('part of a bid left over');
	}

	/** Each as it stands, and how those that are gone ended. */
	compareTriggers(engine = this.engine): void {
		const { triggers } = this.reference;
		const standing = PLAYERS.flatMap(({ walletId }) => engine.triggersOf(walletId));
		same(
			inOrder(standing.map(({ triggerId, at, best, dueAtMs }) => ({ id: triggerId, at, best, dueAt: dueAtMs }))),
			inOrder(triggers.list.map(({ id, at, best, dueAt }) => ({ id, at, best, dueAt }))),
		);
		const ended = [...this.effects.triggers.values()].filter(({ status }) => status !== 'WAITING' && status !== 'DUE');
		same(
			inOrder(ended.map(({ triggerId, status, reason, betId }) => ({ id: triggerId, status, reason, betId }))),
			inOrder(triggers.ended),
		);
		for (const { status, reason, trail, plan } of ended)
			this.reached.add(`${plan?.kind ?? 'trigger'} ${status} ${reason ?? ''}${trail ? ' trailing' : ''}`);
	}

	#compareGroups(): void {
		const groups = PLAYERS.flatMap(({ walletId }) => this.engine.orderGroups(walletId));
		same(
			inOrder(groups.map(({ walletId, name, most, recent, closedAtMs }) => [walletId, name, most, recent, closedAtMs])),
			inOrder(
				this.reference.groups.list.map(({ user, name, most, recent, closedAt }) => [
					user,
					name,
					most,
					recent.map(({ at, stake }) => [at, stake]),
					closedAt,
				]),
			),
		);
		if (groups.some(({ closedAtMs }) => closedAtMs !== null)) this.reached.add('group closed');
	}

	/** Bets of players that chose what happens to their own. */
	#noteOwn(command: Command, { fills, lapses }: Record<'fills' | 'lapses', number>): void {
		const own = this.effects.lapses
			.slice(-lapses || this.effects.lapses.length)
			.filter(({ reason }) => reason === 'SELF_MATCH');
		if (own.length === 0 || !('betId' in command)) return;
		const ofTaker = own.some(({ betId }) => betId === command.betId);
		const when = command.kind === 'admit-bet' ? ' after a delay' : '';
		if (!ofTaker) this.reached.add(`own resting bet lapsed${when}`);
		else if (fills > 0) this.reached.add(`bet ended before its own${when}`);
	}

	#isReducible(marketId: number): boolean {
		return this.#markets.find((market) => market.marketId === marketId)?.terms?.reducible === true;
	}

	/** A hedge is gone, or an outcome came back, and a player holds less than it asks. */
	#isShort(marketId: number): boolean {
		const { reference } = this;
		return PLAYERS.some(({ walletId }) => reference.held(walletId, marketId) < reference.exposure(walletId, marketId));
	}

	compareMoney(): void {
		for (const { walletId } of PLAYERS) {
			const wallet = this.engine.wallet(walletId);
			const user = this.reference.user(walletId);
			if (!wallet || !user) continue;
			const held = this.reference.totalHeld(walletId);
			same([wallet.exposure, wallet.cash], [Number(held), Number(user.funds - held)]);
		}
	}

	/** Of the markets that a command is about. */
	compareBooks(command: Command, engine = this.engine): void {
		const betId = 'betId' in command ? command.betId : 0;
		const about = 'marketId' in command ? command.marketId : this.reference.bets.find(({ id }) => id === betId)?.market;
		for (const { marketId, runners, pools } of this.#markets) {
			if (about !== undefined && marketId !== about) continue;
			for (const pool of pools) {
				for (let runner = 0; runner < runners; runner++) {
					const queues = (['BACK', 'LAY'] as const).flatMap((side) =>
						this.reference.queue(pool, marketId, runner, side),
					);
					same(
						engine.restingBets(marketId, pool, runner),
						queues.map(({ id, side, price, remaining }) => ({
							betId: id,
							side: side === 'BACK' ? 0 : 1,
							price,
							remaining,
						})),
					);
					for (const [at, { id, side, price }] of queues.entries()) {
						const older = queues.slice(0, at).filter((other) => other.side === side && other.price === price);
						same(
							engine.stakeAhead(id),
							older.reduce((sum, { remaining }) => sum + remaining, 0),
						);
					}
				}
			}
		}
	}

	/** Every bet has the same place in its queue after a recovery. */
	compareRecovered(isLookedAt: boolean): void {
		const recovered = this.effects.rebuild(isLookedAt);
		same(recovered.hash(), this.engine.hash());
		this.compareTriggers(recovered);
		this.compareBooks({ kind: 'cancel-all', atMs: 0, walletId: 0 }, recovered);
	}

	compareHouse(): void {
		for (const pool of ['PLAY', 'DEMO'] as const) {
			same(this.engine.houseBalance('commission', pool, 0), Number(this.reference.commission[pool] ?? 0n));
			same(this.engine.houseBalance('rounding', pool, 0), Number(this.reference.rounding[pool] ?? 0n));
			for (const { marketId } of this.#markets) same(this.engine.houseBalance('pot', pool, marketId), 0);
		}
		for (const bet of this.effects.bets.values()) {
			const { matched, remaining, lapsed, cancelled, voided } = bet;
			same(matched + remaining + lapsed + cancelled + voided, bet.stake);
		}
	}
}

type Ending = Command & { kind: 'settle-market' | 'void-market' };
const isEnding = (command: Command): command is Ending =>
	command.kind === 'settle-market' || command.kind === 'void-market';

interface Twin {
	engine: Engine;
	effects: RecordedEffects;
}

/** A settlement that was taken back. */
interface TakenBack {
	wrong: Ending;
	settlement: Settlement;
	isReopened: boolean;
}

const voidOf = ({ marketId, atMs }: Ending): Ending => ({ kind: 'void-market', marketId, atMs });
/** The result the other way round, which may be none. */
const otherEnding = (command: Ending): Ending =>
	command.kind === 'void-market'
		? { kind: 'settle-market', marketId: command.marketId, atMs: command.atMs, results: ['WIN', 'LOSE', 'LOSE'] }
		: { ...command, results: command.results.toReversed() };

const inOrder = (items: readonly object[]): string[] => items.map((item) => JSON.stringify(item)).toSorted();

const accountsOf = (engine: Engine): string[] => inOrder(engine.houseAccounts().filter(({ balance }) => balance !== 0));

/** The engine forgets bets that ended without a match; it has one refusal for three of the reference's. */
const GONE = new Set(['UNKNOWN_ORDER', 'NOT_OWNER', 'ORDER_NOT_ACTIVE', 'INVALID_SIZE']);
const codeOfReference = (code: string): string => (GONE.has(code) ? 'no such active bet' : code);
function codeOf(outcome: Outcome): string | null {
	if (outcome.ok) return null;
	return GONE.has(outcome.code) ? 'no such active bet' : outcome.code;
}

/** The first difference, with the shortest story that still shows it. */
function differenceIn(
	seed: number,
	markets: readonly RandomMarket[],
	comparison: Comparison,
	walks: boolean,
): Error | null {
	const random = new RandomCommands(seed, markets);
	const story = [...random.opening(), ...Array.from({ length: COMMANDS }, () => random.next()), ...random.ending()];
	const failure = failureOf(story, comparison);
	if (!failure) return null;
	const shortest = shrunk(story.slice(0, failure.at + 1), markets, walks);
	const lines = shortest.map((command) => JSON.stringify(command)).join('\n');
	return new Error(`seed ${seed}: ${shortest.length} commands show it\n${lines}`, { cause: failure.error });
}

function failureOf(story: readonly Command[], comparison: Comparison): { at: number; error: unknown } | null {
	for (const [at, command] of story.entries()) {
		try {
			comparison.tell(command);
			if (at === Math.floor(story.length / 2)) comparison.compareRecovered(command.kind === 'look-at-triggers');
		} catch (error) {
			return { at, error };
		}
	}
	try {
		comparison.engine.checkInvariants();
		comparison.compareHouse();
	} catch (error) {
		return { at: story.length - 1, error };
	}
	return null;
}

/** Throws at the first difference in a story that was made elsewhere; answers the rules that it reached. */
export function compareStory(story: readonly Command[], markets: readonly RandomMarket[]): ReadonlySet<string> {
	const comparison = new Comparison(markets);
	const failure = failureOf(story, comparison);
	if (!failure) return comparison.reached;
	const lines = shrunk(story.slice(0, failure.at + 1), markets, false).map((command) => JSON.stringify(command));
	throw new Error(`these commands show a difference\n${lines.join('\n')}`, { cause: failure.error });
}

/** Leaves out one command after another, as long as the rest still fails. */
function shrunk(story: readonly Command[], markets: readonly RandomMarket[], walks: boolean): readonly Command[] {
	let shortest = story;
	for (let at = story.length - 2; at >= 0; at--) {
		const without = shortest.filter((_, index) => index !== at);
		if (failureOf(without, new Comparison(markets, walks))) shortest = without;
	}
	return shortest;
}

/**
 * Runs a number of scenarios, from a seed up; throws at the first difference, with the shortest story that shows it.
 * @param walks whether markets are settled by walks
 */
export function compareScenarios(count: number, markets: readonly RandomMarket[], first = 1, walks = false) {
	const [refusals, reached] = [new Set<string>(), new Set<string>()];
	let accepted = 0;
	for (let seed = first; seed < first + count; seed++) {
		const comparison = new Comparison(markets, walks);
		const difference = differenceIn(seed, markets, comparison, walks);
		if (difference) throw difference;
		accepted += comparison.accepted;
		for (const code of comparison.refusals) refusals.add(code);
		for (const rule of comparison.reached) reached.add(rule);
	}
	return { accepted, refusals: [...refusals], reached: [...reached] };
}
