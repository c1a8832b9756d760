/**
 * Bets that arrived while a round took none. They are queued in memory for the next round, and no money has moved for
 * them.
 */

import type { RequestKey } from '#server/exchange/exchange.ts';
import type { Player } from '#server/money/casino/game-wallet.ts';
import type { Ticket } from '#server/money/casino/tables/table-round.ts';
import { Refused } from '#values/error-catalogue.ts';

/** A longer queue could not be placed within a betting window. */
const MOST_WAITING = 20_000;

export interface QueuedBet<Terms> {
	id: string;
	ticket: Ticket<Terms>;
	/** Stops watching the bet's login. */
	leave: () => void;
}

export class BetQueue<Terms> {
	readonly #byWallet = new Map<number, QueuedBet<Terms>[]>();
	#added = 0;
	#count = 0;

	/**
	 * @param onLogOut called when the bet's login ends, which removes the bet from the queue
	 * @returns its id
	 * @throws Refused SLOT_TAKEN, OVERLOADED
	 */
	add(ticket: Ticket<Terms>, onLogOut: (ended: () => void) => () => void): string {
		const own = this.of(ticket.player);
		if (own.some((waiting) => waiting.ticket.slot === ticket.slot)) throw new Refused('SLOT_TAKEN');
		if (this.#count >= MOST_WAITING) throw new Refused('OVERLOADED');
		const id = `w${++this.#added}`;
		const leave = onLogOut(() => this.remove(ticket.player, id));
		this.#keep(ticket.player, [...own, { id, ticket, leave }]);
		return id;
	}

	/** The id of the queued bet of a request; null for none. @throws Refused REQUEST_ID_REUSED */
	find({ walletId, clientRequestId, body }: RequestKey): string | null {
		const found = this.of({ walletId }).find(({ ticket }) => ticket.key.clientRequestId === clientRequestId);
		if (found && found.ticket.key.body !== body) throw new Refused('REQUEST_ID_REUSED');
		return found?.id ?? null;
	}

	of({ walletId }: Pick<Player, 'walletId'>): readonly QueuedBet<Terms>[] {
		return this.#byWallet.get(walletId) ?? [];
	}

	/** @returns whether a bet was removed */
	remove(player: Player, id: string): boolean {
		const own = this.of(player);
		const left = own.filter((waiting) => waiting.id !== id);
		for (const waiting of own) if (waiting.id === id) waiting.leave();
		this.#keep(player, left);
		return left.length < own.length;
	}

	/** Removes all bets, in the order in which their players arrived. */
	takeAll(): QueuedBet<Terms>[] {
		const all = [...this.#byWallet.values()].flat();
		this.#byWallet.clear();
		this.#count = 0;
		for (const { leave } of all) leave();
		return all;
	}

	#keep({ walletId }: Pick<Player, 'walletId'>, bets: readonly QueuedBet<Terms>[]): void {
		this.#count += bets.length - this.of({ walletId }).length;
		if (bets.length > 0) this.#byWallet.set(walletId, [...bets]);
		else this.#byWallet.delete(walletId);
	}
}
