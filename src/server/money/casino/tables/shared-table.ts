/**
 * Runs the shared rounds of one game. A round takes bets, is locked until they are durable, is played, and after a
 * pause the next one begins. A round begins only when every bet of the previous one is settled.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type BeaconChain, resultHash } from '#games/beacon/beacon-chain.ts';
import { BETTOR_SEEDS } from '#games/crash/crash-result.ts';
import type { Exchange, Receipt } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import type { WorkflowData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import {
	openWorkflows,
	readableWorkflows,
	UNREADABLE,
	workflowsByKey,
} from '#server/exchange/recovery/stored-workflows.ts';
import type { Beacon } from '#server/money/casino/beacon/beacon.ts';
import type { GameWallet, Player } from '#server/money/casino/game-wallet.ts';
import type { HashAccess } from '#server/money/casino/outcome-access.ts';
import { BetQueue, type QueuedBet } from '#server/money/casino/tables/bet-queue.ts';
import { type ChainFacts, chainFacts, type HashChain } from '#server/money/casino/tables/hash-chain.ts';
import { type PlacedBet, placedOf } from '#server/money/casino/tables/placed-bet.ts';
import { RoundBeacon } from '#server/money/casino/tables/round-beacon.ts';
import { type RoundRecord, RoundRecords, type VoidReason } from '#server/money/casino/tables/round-records.ts';
import { TableChains } from '#server/money/casino/tables/table-chains.ts';
import type { TableClock, TableGame } from '#server/money/casino/tables/table-game.ts';
import {
	isShared,
	type TableBet,
	type TableBetWorkflow,
	TableRound,
	type Ticket,
} from '#server/money/casino/tables/table-round.ts';
import { TickWriter } from '#server/money/casino/tables/tick-writer.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { unlessAborted } from '#server/platform/pacing/unless-aborted.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import { ERRORS, Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

/** RESTING: the next visitor opens the table · PLAYING: the game shows the round · DECIDED: the result is public. */
type TablePhase = 'CLOSED' | 'RESTING' | 'BETTING' | 'LOCKED' | 'PLAYING' | 'DECIDED';

export interface TableState {
	phase: TablePhase;
	round: number;
	/** When the phase began, and when it will end, if known; monotonic. */
	sinceMs: number;
	untilMs: number | null;
	/** The hash of the previous round, which commits to this one's. */
	commitment: string;
	/** Known after the lock. */
	bettorSeeds: readonly string[];
	/** Revealed with the result. */
	hash: string | null;
	result: WorkflowValue;
	/** The value that decides with the hash; null in a chain without a beacon. */
	beacon: { chain: BeaconChain; round: number } | null;
}

/** The proof of a round's result. */
export interface RoundProof {
	record: RoundRecord;
	/** Of the previous round; the chain's own for its first round. */
	previousHash: string;
	chain: ChainFacts;
}

/** A queued bet has no receipt. */
type Placing<Terms> = { bet: PlacedBet<Terms>; receipt: Receipt } | { waiting: string };

interface TableListener<Terms> {
	onState(state: TableState): void;
	onBet(bet: TableBet<Terms>): void;
	/** A queued bet was placed, or refused. */
	onPlaced(ticket: Ticket<Terms>, waiting: string, placed: PlacedBet<Terms> | Refused): void;
}

export interface SharedTableOptions<Terms extends WorkflowData> {
	game: TableGame<Terms>;
	db: pg.Pool;
	bus: Bus;
	exchange: Pick<Exchange, 'earlier' | 'isOpen' | 'pools'>;
	wallet: GameWallet;
	keys: DataKeys;
	access: HashAccess;
	log: Logger;
	clock: TableClock;
	mostLoss: (pool: Pool) => number;
	beacon: Beacon;
	/** The seeds of players before a wall-clock time; players without one are left out. */
	seedsBefore: (walletIds: readonly number[], beforeMs: number) => Promise<Map<number, string>>;
	listener: TableListener<Terms>;
}

/** Enough bettors to find three with a seed: a page that shows the game gives its player one. */
const MOST_ASKED = 200;
/** How long a table stays open after its last visit, in real time; pages that show it call more often. */
const VISITED_MS = 90_000;
/** The number of rounds after a restart in which players are told about the bets that it ended. */
const INTERRUPTED_ROUNDS = 200;
/** The interval at which the exchange is checked until it is open again. */
const REOPENING_MS = 50;

export class SharedTable<Terms extends WorkflowData> {
	readonly #options: SharedTableOptions<Terms>;
	readonly #owner = randomUUID();
	readonly #records: RoundRecords;
	readonly #beacon: RoundBeacon;
	readonly #chains: TableChains;
	readonly #stopping = new AbortController();
	readonly #waiting = new BetQueue<Terms>();
	/** Requests in progress, by player and request id. */
	readonly #asked = new Map<string, { body: string; answer: Promise<Placing<Terms>> }>();
	readonly #turns = new Turns<number>();
	#round: TableRound<Terms> | null = null;
	#state: TableState = {
		phase: 'CLOSED',
		round: 0,
		sinceMs: 0,
		untilMs: null,
		commitment: '',
		bettorSeeds: [],
		hash: null,
		result: null,
		beacon: null,
	};
	#hasFailed = false;
	#visitedMs = Number.NEGATIVE_INFINITY;
	#wake: (() => void) | null = null;
	#running: Promise<void> = Promise.resolve();
	/**
	 * Bets that a restart ended. A player's entry is kept until the player bets again, all entries until that number of
	 * rounds has passed.
	 */
	#interrupted: readonly TableBet<Terms>[] = [];

	constructor(options: SharedTableOptions<Terms>) {
		this.#options = options;
		const { db, keys, access, game, beacon, clock } = options;
		const { signal } = this.#stopping;
		this.#beacon = new RoundBeacon(beacon, clock, signal);
		this.#records = new RoundRecords(db, game.code, this.#owner, signal);
		const { code, returnPercent } = game;
		const store = { db, keys, access, game: code, owner: this.#owner, signal };
		this.#chains = new TableChains({ ...store, returnPercent, beacon, roundBeacon: this.#beacon });
	}

	get state(): TableState {
		return this.#state;
	}

	get round(): TableRound<Terms> | null {
		return this.#round;
	}

	get chain(): HashChain | null {
		return this.#chains.inUse;
	}

	/** An error ended its rounds: the next start goes on with them. */
	get hasFailed(): boolean {
		return this.#hasFailed;
	}

	get records(): RoundRecords {
		return this.#records;
	}

	/** Ends rounds of an earlier process, then starts new ones. */
	start(): void {
		this.#running = this.#run().catch((error: unknown) => {
			if (this.#stopping.signal.aborted) return;
			this.#hasFailed = true;
			this.#options.log.error({ err: error, game: this.#options.game.code }, 'the rounds of a game ended');
			this.#enter({ phase: 'CLOSED', untilMs: null });
		});
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#running;
		await this.#chains.settled();
	}

	/** A player views the table: a resting table is opened, and stays open for a while. */
	visit(): void {
		this.#visitedMs = performance.now();
		this.#wake?.();
	}

	/**
	 * Places a bet in the open round, or queues it for the next one. A repeated request is answered with the bet that
	 * the first one placed.
	 * @param until the caller's deadline, monotonic
	 * @throws Refused TABLE_CLOSED, SLOT_TAKEN, HOUSE_LIMIT, and refusals of the exchange
	 */
	place(ticket: Ticket<Terms>, untilMs: number): Promise<Placing<Terms>> {
		const { key } = ticket;
		this.visit();
		const name = `${key.walletId}.${key.clientRequestId}`;
		const asked = this.#asked.get(name);
		if (asked && asked.body !== key.body) throw new Refused('REQUEST_ID_REUSED');
		const answer = asked?.answer ?? this.#place(ticket).finally(() => this.#asked.delete(name));
		if (!asked) this.#asked.set(name, { body: key.body, answer });
		return before(answer, untilMs, 'OUTCOME_UNKNOWN');
	}

	async #place(ticket: Ticket<Terms>): Promise<Placing<Terms>> {
		try {
			const waiting = this.#waiting.find(ticket.key);
			if (waiting) return { waiting };
			if (this.#state.phase === 'CLOSED') throw new Refused('TABLE_CLOSED');
			if (!this.#beacon.decidesFor(ticket.player.pool, this.chain?.facts.beacon ?? null))
				throw new Refused('TABLE_CLOSED');
			if (this.#round?.isBetting) return await this.#placeNow(this.#round, ticket);
			throw new Refused('BETTING_CLOSED');
		} catch (error) {
			if (!(error instanceof Refused) || ERRORS[error.code].status >= 500) throw error;
			const receipt = await this.#options.exchange.earlier(ticket.key);
			if (receipt) return { bet: await this.#betOf(receipt), receipt };
			if (error.code === 'BETTING_CLOSED') return { waiting: this.#wait(ticket) };
			throw error;
		}
	}

	/** Until the next round, or until its login ends. */
	#wait(ticket: Ticket<Terms>): string {
		ticket.admitWaiting();
		return this.#waiting.add(ticket, (ended) => this.#options.bus.subscribe(`login.${ticket.loginId}`, ended));
	}

	/** A person's bets are placed one at a time, because earlier stakes count for the limits of later ones. */
	async #placeNow(round: TableRound<Terms>, ticket: Ticket<Terms>) {
		const { walletId } = ticket.player;
		const [person = walletId] = ticket.accounts();
		const { bet, receipt } = await this.#turns.take(person, () => round.place(ticket));
		if (this.#interrupted.length > 0)
			this.#interrupted = this.#interrupted.filter(({ player }) => player.walletId !== walletId);
		return { bet: bet ?? (await this.#betOf(receipt)), receipt };
	}

	/**
	 * Cancels a bet before the round is locked. A repetition changes nothing. @throws Refused UNKNOWN_ORDER,
	 * BETTING_CLOSED
	 */
	async cancel(player: Player, id: string): Promise<Receipt | null> {
		if (this.#waiting.remove(player, id)) return null;
		const bet = this.#round?.bet(Number(id));
		if (bet?.player.walletId !== player.walletId) throw new Refused('UNKNOWN_ORDER');
		if (bet.state === 'VOID' && bet.settling) return await bet.settling;
		return await (this.#round as TableRound<Terms>).cancel(bet);
	}

	/** Removes the queued bets of a barred player, and tells the player why. */
	onBarred(walletId: number): void {
		for (const { id, ticket } of this.#waiting.of({ walletId })) {
			try {
				ticket.admitWaiting();
			} catch (error) {
				if (!(error instanceof Refused)) throw error;
				this.#waiting.remove(ticket.player, id);
				this.#options.listener.onPlaced(ticket, id, error);
			}
		}
	}

	/** The player's queued bets. */
	waitingOf(player: Player): readonly QueuedBet<Terms>[] {
		return this.#waiting.of(player);
	}

	/** The player's bets that a restart ended, as long as the player has to be told. */
	interruptedOf({ walletId }: Player): readonly TableBet<Terms>[] {
		return this.#interrupted.filter(({ player }) => player.walletId === walletId);
	}

	/** @throws Refused UNKNOWN_ROUND */
	async proof(round: number): Promise<RoundProof> {
		const { db, game } = this.#options;
		const [record] = await this.#records.of([round]);
		if (!record || !this.chain) throw new Refused('UNKNOWN_ROUND');
		const { facts } = this.chain;
		const chain = record.chain === facts.number ? facts : await chainFacts(db, game.code, record.chain);
		const [earlier] = record.position === 1 ? [] : await this.#records.of([round - 1]);
		return { record, previousHash: earlier?.hash ?? chain.commitment, chain };
	}

	/** A bet of any round, from the tables, in the state that its player decided. @throws Refused UNKNOWN_ORDER */
	async storedBet(player: Player, id: number): Promise<PlacedBet<Terms>> {
		const bet = await this.#ledgerBet(player, id);
		if (bet.state !== 'OPEN') return bet;
		const decisions = await this.#records.decisions(bet.round);
		const decision = decisions.find((each) => each.bet === id);
		// Decisions are deleted when their round is settled, so if there is none, the ledger is read again.
		if (!decision) return await this.#ledgerBet(player, id);
		return { ...bet, state: 'SETTLED', payout: decision.payout, outcome: decision.outcome };
	}

	async #ledgerBet(player: Player, id: number): Promise<PlacedBet<Terms>> {
		const [workflow] = await workflowsByKey(this.#options.db, [{ kind: 'CASINO', id }]);
		const { game } = this.#options;
		if (workflow?.walletId !== player.walletId || !isShared(workflow) || workflow.data.game !== game.code)
			throw new Refused('UNKNOWN_ORDER');
		return placedOf(workflow, game);
	}

	async #betOf(receipt: Receipt): Promise<PlacedBet<Terms>> {
		const id = receipt.workflows?.[0]?.id ?? 0;
		const known = this.#round?.bet(id);
		if (known) return known;
		const [workflow] = await workflowsByKey(this.#options.db, [{ kind: 'CASINO', id }]);
		if (!workflow || !isShared(workflow)) throw new Error(`the bet of an earlier request is missing: ${id}`);
		return placedOf(workflow, this.#options.game);
	}

	async #run(): Promise<void> {
		await this.#chains.takeOver();
		const last = await this.#records.last();
		const chain = last > 0 ? await this.#chains.resume(last) : null;
		if (chain) await this.#recover(chain);
		await this.#chains.resume(last + 1);
		for (let round = last + 1; ; round++) {
			if (round > last + INTERRUPTED_ROUNDS) this.#interrupted = [];
			await this.#rest();
			if (this.#isStopping()) return;
			await this.#playRound(round);
		}
	}

	/** Waits for a visitor, because rounds without viewers are not played. */
	async #rest(): Promise<void> {
		const isVisited = performance.now() - this.#visitedMs < VISITED_MS;
		if (this.#options.game.isAlwaysOpen || isVisited || this.#isStopping()) return;
		const { promise: visited, resolve } = Promise.withResolvers<void>();
		this.#wake = resolve;
		this.#enter({ phase: 'RESTING', untilMs: null });
		await this.#unlessStopping(visited);
		this.#wake = null;
	}

	/** A server that stops does not wait: the next start ends the round. */
	async #unlessStopping(task: Promise<unknown>): Promise<void> {
		await unlessAborted(task, this.#stopping.signal);
	}

	#isStopping(): boolean {
		return this.#stopping.signal.aborted;
	}

	async #playRound(number: number): Promise<void> {
		const { clock, game } = this.#options;
		const { signal } = this.#stopping;
		const chain = await this.#chains.ofRound(number);
		await chain.announced(this.#options.db, signal);
		if (this.#isStopping()) return;
		const position = number - chain.facts.firstRound + 1;
		await chain.read(position, 'ROUNDS');
		if (this.#isStopping()) return;
		const openedAtMs = Date.now();
		const { beaconRound, windowMs } = this.#beacon.schedule(chain.facts, game.windowMs);
		const now = clock.now();
		await this.#records.begin({ round: number, position, openedAtMs, beaconRound }, chain.facts);
		const round = this.#newRound(number);
		this.#round = round;
		this.#enter({
			phase: 'BETTING',
			round: number,
			untilMs: now + windowMs,
			commitment: chain.hashOf(position - 1),
			bettorSeeds: [],
			hash: null,
			result: null,
			beacon: chain.facts.beacon && beaconRound !== null ? { chain: chain.facts.beacon, round: beaconRound } : null,
		});
		this.#placeWaiting(round);
		await clock.until(now + windowMs, signal);
		if (this.#isStopping()) return;
		this.#enter({ phase: 'LOCKED', untilMs: null });
		const outEarly = this.#beacon.isOutEarly(beaconRound);
		const bettorSeeds = await this.#lock(round, openedAtMs);
		if (this.#isStopping()) return;
		const hash = chain.hashOf(position);
		const value = await this.#beacon.valueOf(beaconRound, outEarly);
		if (this.#isStopping()) return;
		if ('reason' in value) {
			await this.#voidRound(round, { hash, bettorSeeds, reason: value.reason, beaconRound });
			return;
		}
		const { signature } = value;
		if (signature !== null) await this.#records.takeValue(number, signature);
		const result = this.#resultOf(number, { hash, bettorSeeds, signature });
		if (this.#isStopping()) return;
		this.#enter({ phase: 'PLAYING', bettorSeeds });
		const reached = new TickWriter(number, this.#records, this.#options.log);
		await game.play(round, result, { clock, signal, reached: (ms) => reached.write(ms) });
		if (this.#isStopping()) return;
		const decidedAt = clock.now();
		this.#enter({ phase: 'DECIDED', hash, result, untilMs: decidedAt + game.pauseMs });
		await reached.written();
		const decided = this.#records.decide(number, { hash, result, tickMs: reached.lastMs });
		await this.#unlessStopping(Promise.all([decided, round.settled()]));
		if (this.#isStopping()) return;
		round.assertSettled();
		await this.#records.end(number, false);
		await clock.until(decidedAt + game.pauseMs, signal);
	}

	/** The result of a round of the chain in use. @param signature of the beacon; null in a chain without one */
	#resultOf(
		round: number,
		{ hash, bettorSeeds, signature }: { hash: string; bettorSeeds: readonly string[]; signature: string | null },
	): WorkflowValue {
		const { facts } = this.chain as HashChain;
		return this.#options.game.resultOf({ ...facts, round, hash: resultHash(hash, signature), bettorSeeds });
	}

	#newRound(number: number): TableRound<Terms> {
		const { game, wallet, mostLoss, listener } = this.#options;
		return new TableRound<Terms>({
			game: game.code,
			round: number,
			beacon: this.chain?.facts.beacon?.name ?? null,
			wallet,
			mostLoss,
			newRisk: () => game.newRisk(),
			lossOf: (bets) => game.lossOf(bets),
			writeDecisions: (part, decisions) => this.#records.writeDecisions(number, part, decisions),
			onBet: (bet) => listener.onBet(bet),
		});
	}

	/** Queued bets are placed in the order in which they arrived. */
	#placeWaiting(round: TableRound<Terms>): void {
		for (const { id, ticket } of this.#waiting.takeAll()) {
			this.#placeNow(round, ticket).then(
				({ bet }) => this.#options.listener.onPlaced(ticket, id, bet),
				(error: unknown) => {
					if (error instanceof Refused) this.#options.listener.onPlaced(ticket, id, error);
					else this.#options.log.error({ err: error }, 'a bet that waited for its round could not be placed');
				},
			);
		}
	}

	/** Waits until the round's bets are known, and writes the inputs of the result. @returns the bettors' seeds */
	async #lock(round: TableRound<Terms>, openedAtMs: number): Promise<readonly string[]> {
		await this.#unlessStopping(round.lock());
		if (round.isUncertain) await this.#adoptUncertain(round);
		// Some of its bets may be unknown.
		if (this.#isStopping()) return [];
		const bets = round.bets().sort((one, other) => one.id - other.id);
		const first = await this.#bettorSeedsOf(bets, openedAtMs);
		await this.#records.lock(round.number, first, bets[0]?.id ?? null);
		return first;
	}

	/** The seeds of the first bettors, from before the round. @param bets in order of placement */
	async #bettorSeedsOf(bets: readonly TableBet<Terms>[], openedAtMs: number): Promise<readonly string[]> {
		if (!this.#options.game.takesBettorSeeds && !this.chain?.facts.beacon) return [];
		// A cancelled bet contributes no seed.
		const standing = bets.filter(({ state }) => state !== 'VOID');
		const bettors = [...new Set(standing.map(({ player }) => player.walletId))];
		const ask = () => this.#options.seedsBefore(bettors.slice(0, MOST_ASKED), openedAtMs);
		const seeds = await retryFaults(ask, this.#stopping.signal);
		return bettors.flatMap((walletId) => seeds.get(walletId) ?? []).slice(0, BETTOR_SEEDS);
	}

	/** The exchange failed while a bet was in flight: the tables know whether it was accepted. */
	async #adoptUncertain(round: TableRound<Terms>): Promise<void> {
		const { clock, exchange } = this.#options;
		while (!exchange.isOpen() && !this.#isStopping())
			await clock.until(clock.now() + REOPENING_MS, this.#stopping.signal);
		this.#adopt(round, await this.#openBets(round.number));
	}

	/** Ends the rounds of an earlier process. */
	async #recover(chain: HashChain): Promise<void> {
		const ended: TableBet<Terms>[] = [];
		for (const record of await this.#records.running()) {
			const round = this.#newRound(record.round);
			await chain.read(record.position, 'RESTART');
			const hash = chain.hashOf(record.position);
			if (record.phase === 'BETTING') ended.push(...(await this.#void(round, record, hash)));
			else ended.push(...(await this.#endLocked(round, record, hash)));
		}
		this.#interrupted = ended;
	}

	/** Bets that were not answered yet may be missing, so all stakes go back. */
	async #void(round: TableRound<Terms>, record: RoundRecord, hash: string): Promise<TableBet<Terms>[]> {
		const { openedAtMs, beaconRound, voidReason } = record;
		this.#adopt(round, await this.#openBets(record.round));
		const bets = round.bets().sort((one, other) => one.id - other.id);
		const bettorSeeds = voidReason === null ? await this.#bettorSeedsOf(bets, openedAtMs) : record.bettorSeeds;
		await this.#voidRound(round, { hash, bettorSeeds, reason: voidReason ?? 'RESTART', beaconRound });
		return round.bets();
	}

	/**
	 * Gives all stakes back. The next round begins when the beacon's value is out, because the result that the round would
	 * have had is published.
	 */
	async #voidRound(
		round: TableRound<Terms>,
		about: { hash: string; bettorSeeds: readonly string[]; reason: VoidReason; beaconRound: number | null },
	): Promise<void> {
		const { hash, bettorSeeds, reason, beaconRound } = about;
		await this.#records.revealVoid(round.number, { hash, bettorSeeds, reason });
		for (const bet of round.openBets())
			void round.decide(bet, { state: 'VOID', payout: bet.stake, outcome: { interrupted: true } });
		await this.#unlessStopping(round.settled());
		if (this.#isStopping()) return;
		round.assertSettled();
		const { facts } = this.chain as HashChain;
		const signature = beaconRound === null ? null : await this.#beacon.late(beaconRound, facts);
		if (this.#isStopping()) return;
		const isKnown = beaconRound === null || signature !== null;
		const result = isKnown ? this.#resultOf(round.number, { hash, bettorSeeds, signature }) : null;
		await this.#records.void(round.number, { result, signature });
	}

	/** A locked round gets its result, or is void by the rule that it would have been void by without a restart. */
	async #endLocked(round: TableRound<Terms>, record: RoundRecord, hash: string): Promise<TableBet<Terms>[]> {
		const { beaconRound, beaconSignature, bettorSeeds, voidReason } = record;
		if (beaconRound === null || beaconSignature !== null) return await this.#endPlayed(round, record, hash);
		const { facts } = this.chain as HashChain;
		const value = voidReason ? { reason: voidReason } : await this.#beacon.valueAfterRestart(beaconRound, facts);
		if (this.#isStopping()) return [];
		if ('reason' in value) {
			this.#adopt(round, await this.#betsSince(record.round, record.firstBet));
			await this.#voidRound(round, { hash, bettorSeeds, reason: value.reason, beaconRound });
			return round.bets();
		}
		if (value.signature !== null) await this.#records.takeValue(record.round, value.signature);
		return await this.#endPlayed(round, { ...record, beaconSignature: value.signature }, hash);
	}

	async #endPlayed(round: TableRound<Terms>, record: RoundRecord, hash: string): Promise<TableBet<Terms>[]> {
		const { game } = this.#options;
		const { bettorSeeds, tickMs, firstBet, beaconSignature: signature } = record;
		this.#adopt(round, await this.#betsSince(record.round, firstBet));
		for (const { bet: id, ...decision } of await this.#records.decisions(record.round)) {
			const bet = round.bet(id);
			// It may have been paid before the process ended.
			if (bet?.state === 'OPEN') void round.decide(bet, { state: 'SETTLED', ...decision });
		}
		const open = round.openBets();
		const result = this.#resultOf(record.round, { hash, bettorSeeds, signature });
		await this.#records.decide(record.round, { hash, result, tickMs: tickMs ?? 0 });
		game.recover(round, result, tickMs ?? 0);
		await round.settled();
		round.assertSettled();
		await this.#records.end(record.round, true);
		return open;
	}

	/** A bet with invalid choices does not block the end of the others. */
	#adopt(round: TableRound<Terms>, bets: readonly TableBetWorkflow[]): void {
		const { game, log } = this.#options;
		for (const bet of bets) {
			const { terms } = bet.data;
			if (game.isTerms(terms)) round.adopt(bet, terms);
			else log.error({ kind: bet.kind, id: bet.id }, UNREADABLE);
		}
	}

	async #openBets(round: number): Promise<TableBetWorkflow[]> {
		const { db, log, game } = this.#options;
		const open = await retryFaults(() => openWorkflows(db, log, 'CASINO'), this.#stopping.signal);
		return open.filter(isShared).filter(({ data }) => data.game === game.code && data.round === round);
	}

	/** The bets of a locked round, ended or not. */
	async #betsSince(round: number, firstBet: number | null): Promise<TableBetWorkflow[]> {
		if (firstBet === null) return [];
		const { db, log, game } = this.#options;
		const where = `id >= $1 and data->>'game' = $2 and (data->>'round')::bigint = $3`;
		const query = { kind: 'CASINO', where, values: [firstBet, game.code, round] } as const;
		return (await retryFaults(() => readableWorkflows(db, log, query), this.#stopping.signal)).filter(isShared);
	}

	#enter(change: Partial<TableState>): void {
		this.#state = { ...this.#state, ...change, sinceMs: this.#options.clock.now() };
		this.#options.listener.onState(this.#state);
	}
}
