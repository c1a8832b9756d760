/**
 * The bet slip: the selections a player is about to bet on. The stored one is that of all tabs: a change begins with what
 * is stored. A selection keeps its request id until its outcome is known, through reloads too, so that sending it again
 * after a lost answer, here or in another tab, can never place it twice.
 */

import { create } from 'zustand';
import type { LineRange } from '#values/line-range.ts';
import { LADDERS, type LadderTerms, ladderOf, type Price } from '#values/price-ladder.ts';
import { newRequestId } from '#web/api/request-id.ts';
import {
	type FieldTypes,
	hasFields,
	readStored,
	readStoredJson,
	removeStored,
	writeStoredJson,
} from '#web/api/storage.ts';
import { QUOTINGS } from '#web/betting/quoting.ts';
import {
	type BetOptions,
	keyOf,
	NO_OPTIONS,
	type Picked,
	type Selection,
	type SelectionKey,
} from '#web/betting/selection.ts';
import { useSession } from '#web/store/session.ts';

/** The stored form: of the phase it keeps only whether the outcome is unknown. */
type Stored = Omit<Selection, 'phase'> & { unknown: boolean };

const STORED_FIELDS: FieldTypes<Omit<Stored, 'ladder'>> = {
	eventId: 'string',
	eventTitle: 'string',
	marketId: 'string',
	marketName: 'string',
	runnerId: 'string',
	runnerName: 'string',
	side: 'string',
	quoting: 'string',
	price: 'number',
	ownPrice: 'boolean',
	stake: 'string',
	keep: 'boolean',
	fillOrKill: 'boolean',
	postOnly: 'string',
	goodFor: 'number',
	goodUntilMatched: 'number',
	when: 'string',
	whenAt: 'string',
	requestId: 'string',
	unknown: 'boolean',
};
const LINE_FIELDS: FieldTypes<LineRange> = { min: 'number', max: 'number', interval: 'number' };

function isLadder(value: unknown): value is LadderTerms {
	if (typeof value === 'string') return Object.hasOwn(LADDERS, value);
	return hasFields<LineRange>(value, LINE_FIELDS) && value.interval > 0;
}

/** Refuses prices that are not on their ladder. */
function isStored(value: unknown): value is Stored {
	if (!hasFields<Omit<Stored, 'ladder'>>(value, STORED_FIELDS)) return false;
	const { ladder } = value as Partial<Stored>;
	const { side, quoting, price } = value;
	const known = (side === 'BACK' || side === 'LAY') && QUOTINGS.includes(quoting);
	return known && isLadder(ladder) && ladderOf(ladder).tickOf(price) >= 0;
}
const isStoredSlip = (value: unknown): value is Stored[] => Array.isArray(value) && value.every(isStored);

const restored = ({ unknown, ...selection }: Stored): Selection => ({
	...selection,
	phase: unknown ? { kind: 'unknown' } : { kind: 'editing', refusal: null },
});

/** What this page knows of a selection beside what is stored: what it has in flight, an answer or a refusal. */
function joined(own: Selection, stored: Stored | undefined): Selection[] {
	const { kind } = own.phase;
	if (kind === 'pending') return [own];
	if (!stored) return kind === 'placed' ? [own] : [];
	const isSame = stored.requestId === own.requestId && (kind === 'placed' || stored.unknown === (kind === 'unknown'));
	return [isSame ? own : restored(stored)];
}

/** The stored slip, which another tab may have changed; rows that are shown stay where they are. */
function shared(held: readonly Selection[]): readonly Selection[] {
	const stored = readStored('betslips') === null ? [] : readStoredJson('betslips', isStoredSlip);
	// Another release's.
	if (!stored) return held;
	const here = new Set(held.map(keyOf));
	const added = stored.filter((selection) => !here.has(keyOf(selection))).map(restored);
	return [
		...added,
		...held.flatMap((own) =>
			joined(
				own,
				stored.find((one) => keyOf(one) === keyOf(own)),
			),
		),
	];
}

export const useSlip = create<{ selections: readonly Selection[] }>(() => ({ selections: shared([]) }));
/** Shows what another tab has changed. */
export const followSlip = (): void => useSlip.setState(({ selections }) => ({ selections: shared(selections) }));
export const selectionOf = (key: SelectionKey): Selection | undefined =>
	useSlip.getState().selections.find((selection) => keyOf(selection) === key);
export const useSlipCount = (): number => useSlip(({ selections }) => selections.length);

function change(update: (selections: readonly Selection[]) => readonly Selection[]): void {
	const selections = update(shared(useSlip.getState().selections));
	useSlip.setState({ selections });
	const stored = selections
		.filter(({ phase }) => phase.kind !== 'placed')
		.map(({ phase, ...rest }) => ({ ...rest, unknown: isBusy({ phase }) }));
	if (stored.length > 0) writeStoredJson('betslips', stored);
	else removeStored('betslips');
}

export function changeSelection(key: SelectionKey, update: (selection: Selection) => Selection): void {
	change((selections) => selections.map((selection) => (keyOf(selection) === key ? update(selection) : selection)));
}

const isBusy = ({ phase }: Pick<Selection, 'phase'>): boolean => phase.kind === 'pending' || phase.kind === 'unknown';

/**
 * A pressed price adds a selection, changes the price of a selection, or, pressed again, removes it.
 * @param isBest it is the best one of its side; another is the player's own choice
 */
export function pressPrice(picked: Picked, isBest = true): 'added' | 'changed' | 'removed' {
	const key = keyOf(picked);
	followSlip();
	const held = selectionOf(key);
	if (held && isBusy(held)) return 'changed';
	if (held && held.phase.kind === 'editing' && held.price === picked.price) {
		removeSelection(key);
		return 'removed';
	}
	const fresh: Selection = {
		...NO_OPTIONS,
		...held,
		...picked,
		ownPrice: !isBest,
		stake: held && held.phase.kind === 'editing' ? held.stake : '',
		requestId: newRequestId(),
		phase: { kind: 'editing', refusal: null },
	};
	change((selections) => [
		fresh,
		...selections.filter((selection) => keyOf(selection) !== key && selection.phase.kind !== 'placed'),
	]);
	return held ? 'changed' : 'added';
}

/** Keeps a bet whose outcome is unknown. */
export function removeSelection(key: SelectionKey): void {
	change((selections) => selections.filter((selection) => keyOf(selection) !== key || isBusy(selection)));
}

export const clearSlip = (): void => change((selections) => selections.filter(isBusy));

/** An edited selection is another bet, so it gets another request id. */
function edit(
	key: SelectionKey,
	changes: Partial<Pick<Selection, 'stake' | 'price' | 'ownPrice' | keyof BetOptions>>,
): void {
	changeSelection(key, (selection) =>
		selection.phase.kind === 'editing'
			? { ...selection, ...changes, requestId: newRequestId(), phase: { kind: 'editing', refusal: null } }
			: selection,
	);
}

export const setStake = (key: SelectionKey, stake: string): void => edit(key, { stake });
/** The player's own price. */
export const setPrice = (key: SelectionKey, price: Price): void => edit(key, { price, ownPrice: true });
/** The price on offer in place of the one that was picked. */
export const acceptPrice = (key: SelectionKey, price: Price): void => edit(key, { price, ownPrice: false });
/** The price that was picked, although the market has left it. */
export const keepPrice = (key: SelectionKey): void => edit(key, { ownPrice: true });
export const setOptions = (key: SelectionKey, options: Partial<BetOptions>): void => edit(key, options);

/** Moves the price by ticks, within the ladder. */
export function movePrice(key: SelectionKey, ticks: number): void {
	const selection = selectionOf(key);
	if (!selection) return;
	const ladder = ladderOf(selection.ladder);
	const tick = Math.min(ladder.tickCount - 1, Math.max(0, ladder.tickOf(selection.price) + ticks));
	setPrice(key, ladder.priceAt(tick));
}

/** Opens a placed bet's selection again, as a new bet. */
export function betAgain(key: SelectionKey): void {
	changeSelection(key, (selection) => ({
		...selection,
		requestId: newRequestId(),
		phase: { kind: 'editing', refusal: null },
	}));
}

// A slip belongs to one login, or to a visitor, who becomes a player with it. In a tab that hears of the end late, the next
// player may have a slip already.
useSession.subscribe(({ user, loginCount }, before) => {
	const hasEnded = user ? before.user !== null && before.user.userId !== user.userId : loginCount !== before.loginCount;
	if (!hasEnded) return;
	const ended = new Set(useSlip.getState().selections.map(({ requestId }) => requestId));
	useSlip.setState({ selections: [] });
	change((selections) => selections.filter(({ requestId }) => !ended.has(requestId)));
});
