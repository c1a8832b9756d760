/**
 * Persons: which accounts are one human's, and what each of them has to bear. Accounts are the nodes and facts the edges:
 * accounts that have the same proven fact, a mobile or a document, are one person's, however many accounts lie between. A hint makes no person. It
 * works in one direction: what a person has chosen holds for an account that only says it has the person's mobile.
 */
import type { PlayerId } from '#values/ids.ts';

/** A mobile, the document by which an operator knew the player, an account that money was paid out to. */
export type FactKind = 'mobile' | 'document' | 'payout';

/**
 * Facts that make accounts one person's, because nobody but the person can prove them: the code reaches the owner of the
 * mobile, and an operator looks at the document. Money may be paid to anybody: who withdraws to another's account would
 * limit or exclude that player.
 */
const JOINING: ReadonlySet<FactKind> = new Set<FactKind>(['mobile', 'document']);

/** Whether the fact makes its account known to be a person's. */
export const isJoining = ({ kind, state }: Pick<Fact, 'kind' | 'state'>): boolean =>
	state === 'PROVEN' && JOINING.has(kind);
/**
 * PROVEN: a code came back, an operator accepted the document, the payout arrived. HINT: the player says so. REFUTED: an
 * operator found that it is not so.
 */
export type FactState = 'PROVEN' | 'HINT' | 'REFUTED';

export interface Fact {
	playerId: PlayerId;
	kind: FactKind;
	/** The mobile, or a keyed fingerprint. */
	value: string;
	state: FactState;
}

const NONE: readonly PlayerId[] = [];

export class PersonGraph {
	/** By each account of a person with several: all of them, the oldest first. */
	readonly #persons = new Map<PlayerId, readonly PlayerId[]>();
	/** By account: the accounts of persons whose mobile it only says it has. */
	readonly #above = new Map<PlayerId, readonly PlayerId[]>();
	/** The same the other way round. */
	readonly #below = new Map<PlayerId, Set<PlayerId>>();

	/**
	 * Replaces what is known of accounts.
	 * @param accounts with every account that shares a fact with one of them, in whatever state, and so on
	 * @param facts all facts of the accounts
	 */
	replace(accounts: Iterable<PlayerId>, facts: readonly Fact[]): void {
		const proven = Map.groupBy(facts.filter(isJoining), nameOf);
		const joined = new Map<PlayerId, Set<PlayerId>>();
		const groupOf = (playerId: PlayerId) => joined.get(playerId) ?? new Set([playerId]);
		for (const holders of proven.values()) {
			const person = new Set(holders.flatMap(({ playerId }) => [...groupOf(playerId)]));
			for (const playerId of person) joined.set(playerId, person);
		}
		for (const playerId of accounts) this.#keepPerson(playerId, joined.get(playerId));
		const hints = Map.groupBy(
			facts.filter(({ kind, state }) => kind === 'mobile' && state === 'HINT'),
			({ playerId }) => playerId,
		);
		for (const playerId of accounts) {
			const owners = (hints.get(playerId) ?? []).flatMap((hint) => proven.get(nameOf(hint)) ?? []);
			const above = new Set(owners.flatMap((owner) => [...groupOf(owner.playerId)]));
			this.#keepAbove(playerId, [...above].filter((owner) => !groupOf(playerId).has(owner)).sort(byAge));
		}
	}

	/** The accounts of the account's person, the oldest first. */
	personOf(playerId: PlayerId): readonly PlayerId[] {
		return this.#persons.get(playerId) ?? [playerId];
	}

	/** Accounts of other persons whose limits and breaks hold for this one, too, because it says it has their mobile. */
	above(playerId: PlayerId): readonly PlayerId[] {
		return this.#above.get(playerId) ?? NONE;
	}

	/** Accounts for which the limits and breaks of this one hold, although they are not known to be the same person's. */
	below(playerId: PlayerId): readonly PlayerId[] {
		return [...(this.#below.get(playerId) ?? NONE)];
	}

	#keepPerson(playerId: PlayerId, person: ReadonlySet<PlayerId> | undefined): void {
		if (person && person.size > 1) this.#persons.set(playerId, [...person].sort(byAge));
		else this.#persons.delete(playerId);
	}

	#keepAbove(playerId: PlayerId, above: readonly PlayerId[]): void {
		for (const owner of this.above(playerId)) this.#below.get(owner)?.delete(playerId);
		if (above.length === 0) this.#above.delete(playerId);
		else this.#above.set(playerId, above);
		for (const owner of above) this.#below.set(owner, (this.#below.get(owner) ?? new Set()).add(playerId));
	}
}

const nameOf = ({ kind, value }: Fact): string => `${kind} ${value}`;
const byAge = (one: PlayerId, other: PlayerId): number => one - other;
