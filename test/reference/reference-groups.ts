/** Groups of bets on the reference exchange: a plain list, and what each bet had matched at the last look. */
import { cancelRemaining, type ReferenceBet } from './reference-rules.ts';

export interface ReferenceGroup {
	user: number;
	name: string;
	most: number;
	recent: { at: number; stake: number }[];
	closedAt: number | null;
}

/** An exchange, as far as groups need it. */
interface Holding {
	bets: readonly ReferenceBet[];
	hold(user: number, market: number): void;
}

const matchedOf = ({ fills }: ReferenceBet): number => fills.reduce((sum, { stake }) => sum + stake, 0);

export class ReferenceGroups {
	readonly list: ReferenceGroup[] = [];
	readonly #seen = new Map<number, number>();

	find(user: number, name: string): ReferenceGroup | undefined {
		return this.list.find((group) => group.user === user && group.name === name);
	}

	/** What was matched until then counts no more. */
	set(user: number, name: string, most: number, bets: readonly ReferenceBet[]): string | null {
		if (!(Number.isInteger(most) && most > 0)) return 'INVALID_SIZE';
		const known = this.find(user, name);
		if (!known && this.list.filter((group) => group.user === user).length >= 20) return 'TOO_MANY_ORDER_GROUPS';
		for (const bet of bets) if (bet.user === user && bet.group === name) this.#seen.set(bet.id, matchedOf(bet));
		if (known) Object.assign(known, { most, recent: [], closedAt: null });
		else this.list.push({ user, name, most, recent: [], closedAt: null });
		return null;
	}

	refusalOf({ user, group }: Pick<ReferenceBet, 'user' | 'group'>): string | null {
		if (group == null) return null;
		const known = this.find(user, group);
		return known ? (known.closedAt === null ? null : 'ORDER_GROUP_CLOSED') : 'UNKNOWN_ORDER_GROUP';
	}

	/** Counts what was matched since the last look, and cancels what is left where it is too much. @returns whether anything changed */
	look(exchange: Holding, now: number): boolean {
		const changed = new Map<ReferenceGroup, number>();
		for (const bet of exchange.bets) {
			const group = bet.group == null ? undefined : this.find(bet.user, bet.group);
			if (!group) continue;
			const matched = matchedOf(bet);
			const more = matched - (this.#seen.get(bet.id) ?? 0);
			this.#seen.set(bet.id, matched);
			if (more <= 0) continue;
			changed.set(group, (changed.get(group) ?? 0) + more);
		}
		for (const [group, stake] of changed) {
			group.recent.push({ at: now, stake });
			group.recent = group.recent.filter(({ at }) => at > now - 15_000);
			const sum = group.recent.reduce((total, { stake }) => total + stake, 0);
			if (group.closedAt !== null || sum <= group.most) continue;
			group.closedAt = now;
			const left = exchange.bets.filter(
				(bet) => bet.user === group.user && bet.group === group.name && bet.remaining > 0,
			);
			for (const bet of left) cancelRemaining(bet);
			for (const market of new Set(left.map((bet) => bet.market))) exchange.hold(group.user, market);
		}
		return changed.size > 0;
	}
}
