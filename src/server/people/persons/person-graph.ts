/**
 * Persons: the accounts of each human, and the limits on each of them. Accounts are the nodes and facts the edges:
 * accounts with the same proven fact, a mobile or a document, belong to one person, directly or through other accounts.
 * A hint makes no person. It works in one direction: a person's choices apply to an account that merely states the
 * person's mobile.
 */
import type { PlayerId } from '#values/ids.ts';

/** A mobile, the document that an operator verified, an account that received a payout. */
export type FactKind = 'mobile' | 'document' | 'payout';

/**
 * Facts that make accounts one person's, because only the person can prove them: the code reaches the owner of the
 * mobile, and an operator checks the document. A payout proves less: a player who withdraws to another player's account
 * would limit or exclude that player.
 */
const JOINING: ReadonlySet<FactKind> = new Set<FactKind>(['mobile', 'document']);

/** Whether the fact identifies the account's person. */
export const isJoining = ({ kind, state }: Pick<Fact, 'kind' | 'state'>): boolean =>
	state === 'PROVEN' && JOINING.has(kind);
/**
 * PROVEN: a code was entered, an operator accepted the document, the payout arrived. HINT: stated by the player.
 * REFUTED: an operator found it to be untrue.
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
	/** By each account of a person with several: all of them, oldest first. */
	readonly #persons = new Map<PlayerId, readonly PlayerId[]>();
	/** By account: the accounts of persons whose mobile it merely states. */
	readonly #above = new Map<PlayerId, readonly PlayerId[]>();
	/** The inverse. */
	readonly #below = new Map<PlayerId, Set<PlayerId>>();

	/**
	 * Replaces the known state of accounts.
	 * @param accounts closed under shared facts in any state: every account that shares a fact with one of them is
	 *   included
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

	/** The accounts of the account's person, oldest first. */
	personOf(playerId: PlayerId): readonly PlayerId[] {
		return this.#persons.get(playerId) ?? [playerId];
	}

	/** Accounts of other persons whose limits and breaks also apply to this one, because it states their mobile. */
	above(playerId: PlayerId): readonly PlayerId[] {
		return this.#above.get(playerId) ?? NONE;
	}

	/** Accounts that this one's limits and breaks apply to, although they are not known to be the same person's. */
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
