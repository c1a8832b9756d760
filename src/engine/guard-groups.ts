/** Lets bets join groups, counts what is matched of them, and cancels those of a group of which too much was matched. */
import type { PlaceBet, SetOrderGroup } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import { GUARDED_MS, MOST_GROUPS, type OrderGroup } from '#engine/order-groups.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** Opens a group, or resets it: nothing counts that was matched before. */
export function setOrderGroup(state: EngineState, { walletId, name, most }: SetOrderGroup, effects: Effects): Outcome {
	const { accounts, bets, groups } = state;
	const wallet = accounts.wallets.find(walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	if (accounts.wallets.isQuoting(wallet)) return refuse('TERMS_NOT_POSSIBLE');
	if (!(Number.isSafeInteger(most) && most > 0)) return refuse('INVALID_SIZE');
	const known = groups.find(walletId, name);
	if (!known && groups.of(walletId).length >= MOST_GROUPS) return refuse('TOO_MANY_ORDER_GROUPS');
	const group = known ?? groups.add({ walletId, name, most, recent: [], closedAtMs: null });
	// What was matched in this batch was before, too.
	for (const betId of group.bets) {
		const bet = bets.find(betId);
		if (bet !== NONE) groups.saw(betId, bets.matched(bet));
	}
	Object.assign(group, { most, recent: [], closedAtMs: null });
	groups.touch(group);
	effects.groupChanged(group.view());
	return DONE;
}

/** Why a group takes no bet; null for a bet without one. */
export function refusalOfGroup({ groups }: EngineState, { walletId, terms }: PlaceBet): EngineRefusal | null {
	if (terms?.group == null) return null;
	const group = groups.find(walletId, terms.group);
	if (!group) return 'UNKNOWN_ORDER_GROUP';
	return group.closedAtMs === null ? null : 'ORDER_GROUP_CLOSED';
}

/** A bet counts for its group from now on. @param seen what was matched of it before that counts no more */
export function joinGroup(state: EngineState, betId: BetId, name: string, seen: number): void {
	const { bets, books, groups, positions, accounts } = state;
	const bet = bets.find(betId);
	if (bet === NONE) return;
	const position = bets.position(bet);
	const group = groups.find(accounts.wallets.id(positions.walletOf(position)), name);
	if (!group) throw new Error(`bet ${betId} is of a group that does not exist`);
	const book = state.bookOf(positions.marketOf(position), bet);
	if (groups.join(group, betId, { book, seen })) state.followBook(book);
	books.watch(book);
}

/** Counts what was matched in a book since the last look into the sums of the groups. */
function countMatched(state: EngineState, book: number, sums: Map<OrderGroup, AnyMinor>): void {
	const { bets, groups } = state;
	for (const betId of groups.inBook(book)) {
		const member = groups.member(betId);
		if (!member) continue;
		const bet = bets.find(betId);
		const matched = bet === NONE ? 0 : bets.matched(bet);
		const more = matched - member.seen;
		member.seen = matched;
		if (more > 0) sums.set(member.group, (sums.get(member.group) ?? 0) + more);
		if (bet === NONE || bets.remaining(bet) === 0) state.leaveGroup(betId);
	}
}

/**
 * What was matched in one look is one entry: in which order it looks at the books is known to nothing else.
 * @returns how many groups changed
 */
export function lookAtGroups(state: EngineState, concerned: Iterable<number>, atMs: number, effects: Effects): number {
	const { groups } = state;
	const sums = new Map<OrderGroup, AnyMinor>();
	for (const book of concerned) countMatched(state, book, sums);
	const inOrder = [...sums.keys()].sort(
		(one, other) => one.walletId - other.walletId || (one.name < other.name ? -1 : 1),
	);
	for (const group of inOrder) {
		const recent = group.recent.filter(([when]) => when > atMs - GUARDED_MS);
		group.recent = [...recent, [atMs, sums.get(group) ?? 0]];
		if (group.closedAtMs === null && group.matched > group.most) {
			group.closedAtMs = atMs;
			cancelBets(state, group, effects);
		}
		groups.touch(group);
		effects.groupChanged(group.view());
	}
	return inOrder.length;
}

/** Oldest first. What is unmatched in a market that is being settled lapses by its settlement. */
function cancelBets(state: EngineState, group: OrderGroup, effects: Effects): void {
	const { bets, positions } = state;
	const touched = new Set<number>();
	for (const betId of [...group.bets].sort((one, other) => one - other)) {
		const bet = bets.find(betId);
		const remaining = bet === NONE ? 0 : bets.remaining(bet);
		state.leaveGroup(betId);
		if (remaining === 0) continue;
		const position = bets.position(bet);
		const market = positions.marketOf(position);
		if (market.status === 'SETTLING') continue;
		effects.betCancelled(betId, remaining);
		state.cancelRemaining(market, bet, remaining);
		touched.add(position);
	}
	for (const position of touched) state.hold(positions.marketOf(position), position, effects);
}
