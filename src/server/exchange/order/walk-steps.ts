/**
 * The steps of a walk through a market: wallet by wallet, as many a step as a batch may hold beside other commands. The
 * engine names the wallets that are left, so a process that recovers, or takes over, begins again with those.
 */
import type { ReversedWallet } from '#engine/command.ts';
import type { Engine, UnsettledWallet } from '#engine/engine.ts';
import type { Request } from '#server/exchange/exchange.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

export type Step = Request & {
	kind:
		| 'settle-wallets'
		| 'settle-bets'
		| 'reverse-wallets'
		| 'void-reversed'
		| 'change-wallets'
		| 'change-bets'
		| 'cancel-all';
};

/** Reads the wallets of a settlement that is taken back, winners before losers. @param most how many bets a part has */
export type SettledWallets = (marketId: MarketId, most: () => number) => AsyncIterable<ReversedWallet>;

/** A walk through one market. */
interface Walk {
	marketId: MarketId;
	engine: Engine;
	/** How many bets the next step takes. */
	most: () => number;
	/** Resolves when the batch of the step is on its way. @param bets how many it takes */
	take: (step: Step, bets: number) => Promise<void>;
	settledWallets: SettledWallets;
}

const BETS_A_MATCH = 2;

/** What the engine finds of a market, a part at a time, with pauses in between. */
async function* found<Item>(items: Iterator<Item | null>): AsyncGenerator<Item> {
	for (let next = items.next(); next.done !== true; next = items.next()) {
		if (next.value === null) await new Promise((resume) => setImmediate(resume));
		else yield next.value;
	}
}

/** Settles the wallets that a settlement has left: the losers before the winners, so that the market's pot can pay. */
export async function settle(walk: Walk): Promise<void> {
	const { marketId, engine, take } = walk;
	const steps = new WalletSteps(walk, {
		ofWallets: async (wallets, bets) => await take({ kind: 'settle-wallets', marketId, wallets }, bets),
		inParts: async (walletId) => await settleInParts(walk, walletId),
	});
	const winners: UnsettledWallet[] = [];
	for await (const wallet of found(engine.unsettledWallets(marketId))) {
		if (wallet.wins) winners.push(wallet);
		else await steps.add(wallet.walletId, wallet.bets);
	}
	await steps.finish();
	for (const { walletId, bets } of winners) await steps.add(walletId, bets);
	await steps.finish();
	// Quotes may go without a step: when they are withdrawn, or with the process that had them in memory.
	await take({ kind: 'settle-wallets', marketId, wallets: [] }, 0);
}

async function settleInParts({ marketId, engine, most, take }: Walk, walletId: WalletId): Promise<void> {
	// What is set aside for quotes is freed while the wallet has all its bets.
	if (engine.wallet(walletId)?.quotes) {
		for (const bets of partsOf(engine.unmatchedBets(walletId, marketId), most))
			await take({ kind: 'cancel-all', walletId, marketId, bets }, bets.length);
	}
	// The last part of a winner that cannot be paid is left.
	for (let before: BetId | undefined; ; ) {
		const bets = engine.someBets(walletId, marketId, most());
		if (bets.length === 0 || bets[0] === before) return;
		[before] = bets;
		await take({ kind: 'settle-bets', marketId, walletId, bets }, bets.length);
	}
}

/** Brings back the wallets that a reversal has left, and voids its matches. */
export async function reverse({ marketId, engine, most, take, settledWallets }: Walk): Promise<void> {
	let wallets: ReversedWallet[] = [];
	let bets = 0;
	const finish = async () => {
		if (bets > 0) await take({ kind: 'reverse-wallets', marketId, wallets }, bets);
		[wallets, bets] = [[], 0];
	};
	for await (const wallet of settledWallets(marketId, most)) {
		if (bets + wallet.bets.length > most()) await finish();
		wallets.push(wallet);
		bets += wallet.bets.length;
	}
	await finish();
	const matchesLeft = () => engine.market(marketId)?.reversing?.matches.length ?? 0;
	for (let left = matchesLeft(), before = left + 1; left > 0 && left < before; ) {
		const count = Math.ceil(most() / BETS_A_MATCH);
		await take({ kind: 'void-reversed', marketId, count }, Math.min(count, left) * BETS_A_MATCH);
		[before, left] = [left, matchesLeft()];
	}
}

/** Changes the wallets that a change of a market's bets has left. */
export async function change(walk: Walk): Promise<void> {
	const { marketId, engine, most, take } = walk;
	const parts = new Map<WalletId, readonly BetId[]>();
	const steps = new WalletSteps(walk, {
		ofWallets: async (wallets, bets) => await take({ kind: 'change-wallets', marketId, wallets }, bets),
		inParts: async (walletId) => {
			for (const bets of partsOf(parts.get(walletId) ?? [], most))
				await take({ kind: 'change-bets', marketId, walletId, bets }, bets.length);
			await take({ kind: 'change-wallets', marketId, wallets: [walletId] }, 0);
		},
	});
	for await (const { walletId, bets } of found(engine.walletsToChange(marketId))) {
		parts.set(walletId, bets);
		await steps.add(walletId, bets.length);
		parts.delete(walletId);
	}
	const { wallets, bets } = steps.rest();
	await take({ kind: 'change-wallets', marketId, wallets, isLast: true }, bets);
}

/** @param most how many the next part has */
function* partsOf(bets: readonly BetId[], most: () => number): Generator<readonly BetId[]> {
	for (let from = 0; from < bets.length; ) {
		const to = from + most();
		yield bets.slice(from, to);
		from = to;
	}
}

interface StepTakers {
	/** A step that takes these wallets whole. */
	ofWallets: (wallets: readonly WalletId[], bets: number) => Promise<void>;
	/** The steps of a wallet of the house with more bets than a step takes. */
	inParts: (walletId: WalletId) => Promise<void>;
}

/** Collects wallets, in their order, to steps. */
class WalletSteps {
	readonly #walk: Walk;
	readonly #takers: StepTakers;
	#wallets: WalletId[] = [];
	#bets = 0;

	constructor(walk: Walk, takers: StepTakers) {
		this.#walk = walk;
		this.#takers = takers;
	}

	async add(walletId: WalletId, bets: number): Promise<void> {
		const most = this.#walk.most();
		if (this.#bets + bets > most) await this.finish();
		// What a player had at risk is worked out of all his bets in the batch that settles him. The house may have most of a
		// market's bets.
		if (bets > most && walletId < FIRST_PLAYER_ID) return await this.#takers.inParts(walletId);
		this.#wallets.push(walletId);
		this.#bets += bets;
	}

	async finish(): Promise<void> {
		const { wallets, bets } = this.rest();
		if (wallets.length > 0) await this.#takers.ofWallets(wallets, bets);
	}

	/** The wallets that no step has taken yet. */
	rest(): { wallets: WalletId[]; bets: number } {
		const rest = { wallets: this.#wallets, bets: this.#bets };
		this.#wallets = [];
		this.#bets = 0;
		return rest;
	}
}
