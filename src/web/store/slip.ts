/**
 * The bet slip: the selections a player is about to bet on. A selection keeps its request id until its outcome is known,
 * through reloads too, so that sending it again after a lost answer can never place it twice.
 */

import { create } from 'zustand';
import type { LineRange } from '#values/line-range.ts';
import { LADDERS, type LadderTerms, ladderOf, type Price } from '#values/price-ladder.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { type FieldTypes, hasFields, readStoredJson, removeStored, writeStoredJson } from '#web/api/storage.ts';
import { QUOTINGS } from '#web/betting/quoting.ts';
import { type BetOptions, keyOf, type Picked, type Selection, type SelectionKey } from '#web/betting/selection.ts';
import { useSession } from '#web/store/session.ts';

/** As it is stored: the price in hundredths, and of its phase only whether its outcome is unknown. */
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
	requestId: 'string',
	unknown: 'boolean',
};
const LINE_FIELDS: FieldTypes<LineRange> = { min: 'number', max: 'number', interval: 'number' };

function isLadder(value: unknown): value is LadderTerms {
	if (typeof value === 'string') return Object.hasOwn(LADDERS, value);
	return hasFields<LineRange>(value, LINE_FIELDS) && value.interval > 0;
}

/** A price that its ladder does not have was never picked here. */
function isStored(value: unknown): value is Stored {
	if (!hasFields<Omit<Stored, 'ladder'>>(value, STORED_FIELDS)) return false;
	const { ladder } = value as Partial<Stored>;
	const { side, quoting, price } = value;
	const known = (side === 'BACK' || side === 'LAY') && QUOTINGS.includes(quoting);
	return known && isLadder(ladder) && ladderOf(ladder).rungOf(price) >= 0;
}
const isStoredSlip = (value: unknown): value is Stored[] => Array.isArray(value) && value.every(isStored);

function restored(): Selection[] {
	const stored = readStoredJson('betslips', isStoredSlip) ?? [];
	return stored.map(({ unknown, ...selection }) => ({
		...selection,
		phase: unknown ? { kind: 'unknown' } : { kind: 'editing', refusal: null },
	}));
}

export const useSlip = create<{ selections: readonly Selection[] }>(() => ({ selections: restored() }));
export const selectionOf = (key: SelectionKey): Selection | undefined =>
	useSlip.getState().selections.find((selection) => keyOf(selection) === key);
export const useSlipCount = (): number => useSlip(({ selections }) => selections.length);

function keep(selections: readonly Selection[]): void {
	useSlip.setState({ selections });
	const stored = selections
		.filter(({ phase }) => phase.kind !== 'placed')
		.map(({ phase, ...rest }) => ({ ...rest, unknown: phase.kind === 'pending' || phase.kind === 'unknown' }));
	if (stored.length > 0) writeStoredJson('betslips', stored);
	else removeStored('betslips');
}

export function changeSelection(key: SelectionKey, update: (selection: Selection) => Selection): void {
	keep(useSlip.getState().selections.map((selection) => (keyOf(selection) === key ? update(selection) : selection)));
}

const isBusy = ({ phase }: Selection): boolean => phase.kind === 'pending' || phase.kind === 'unknown';

/** A pressed price: a new selection, a new price for the one that is there, or, pressed again, away with it. */
export function pressPrice(picked: Picked): 'added' | 'changed' | 'removed' {
	const key = keyOf(picked);
	const { selections } = useSlip.getState();
	const held = selections.find((selection) => keyOf(selection) === key);
	if (held && isBusy(held)) return 'changed';
	if (held && held.phase.kind === 'editing' && held.price === picked.price) {
		removeSelection(key);
		return 'removed';
	}
	const { keep: keeps = false, fillOrKill = false } = held ?? {};
	const fresh: Selection = {
		...picked,
		keep: keeps,
		fillOrKill,
		ownPrice: false,
		stake: held && held.phase.kind === 'editing' ? held.stake : '',
		requestId: newRequestId(),
		phase: { kind: 'editing', refusal: null },
	};
	keep([fresh, ...selections.filter((selection) => keyOf(selection) !== key && selection.phase.kind !== 'placed')]);
	return held ? 'changed' : 'added';
}

/** A bet whose outcome is not known stays until it is. */
export function removeSelection(key: SelectionKey): void {
	keep(useSlip.getState().selections.filter((selection) => keyOf(selection) !== key || isBusy(selection)));
}

export const clearSlip = (): void => keep(useSlip.getState().selections.filter(isBusy));

/** An edit makes another bet of it, and another bet needs another request id. */
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
/** A price the player named himself. */
export const setPrice = (key: SelectionKey, price: Price): void => edit(key, { price, ownPrice: true });
/** The price on offer in place of the one that was picked. */
export const acceptPrice = (key: SelectionKey, price: Price): void => edit(key, { price, ownPrice: false });
/** The price that was picked, although the market has left it. */
export const keepPrice = (key: SelectionKey): void => edit(key, { ownPrice: true });
export const setOptions = (key: SelectionKey, options: Partial<BetOptions>): void => edit(key, options);

/** Moves the price by whole rungs, staying on the ladder. */
export function movePrice(key: SelectionKey, rungs: number): void {
	const selection = selectionOf(key);
	if (!selection) return;
	const ladder = ladderOf(selection.ladder);
	const rung = Math.min(ladder.rungs - 1, Math.max(0, ladder.rungOf(selection.price) + rungs));
	setPrice(key, ladder.priceAt(rung));
}

/** A placed bet's selection once more, with an empty request. */
export function betAgain(key: SelectionKey): void {
	changeSelection(key, (selection) => ({
		...selection,
		requestId: newRequestId(),
		phase: { kind: 'editing', refusal: null },
	}));
}

// What one player was about to bet is nobody else's; a visitor has no slip.
useSession.subscribe(({ user }, before) => {
	if (before.user !== null && user?.userId !== before.user.userId) keep([]);
});
