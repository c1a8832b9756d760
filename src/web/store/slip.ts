/**
 * The bet slip: the selections a player is about to bet on. A selection keeps its request id until its outcome is known,
 * through reloads too, so that sending it again after a lost answer can never place it twice.
 */

import { create } from 'zustand';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { LineRange } from '#values/line-range.ts';
import { MAX_AMOUNT_PAISE, type Paise, paiseFromMajor } from '#values/money.ts';
import { decimalFromPrice, LADDERS, type LadderTerms, ladderOf, type Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import { call } from '#web/api/client.ts';
import { isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { type FieldTypes, hasFields, readStoredJson, removeStored, writeStoredJson } from '#web/api/storage.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import { QUOTINGS, type Quoting } from '#web/store/quoting.ts';
import { newRequestId } from '#web/store/request-id.ts';
import { useSession } from '#web/store/session.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

export type PlacedBet = ResultOf<Calls['placeBetV2']>;

/** Where a selection stands. 'unknown': sent, no answer came; only the same request may be sent again. */
export type Phase =
	| { kind: 'editing'; refusal: string | null }
	| { kind: 'pending' }
	| { kind: 'unknown' }
	| { kind: 'placed'; bet: PlacedBet };

/** What stands behind "more": what becomes of the part that is not matched. */
export interface BetOptions {
	/** It stays when the market turns in-play. */
	keep: boolean;
	/** All of it at once, or nothing. */
	fillOrKill: boolean;
}

export interface Selection extends BetOptions {
	eventId: string;
	eventTitle: string;
	marketId: string;
	marketName: string;
	runnerId: string;
	runnerName: string;
	side: Side;
	/** How the market writes its prices, and which it takes. */
	quoting: Quoting;
	ladder: LadderTerms;
	/** Hundredths. */
	price: Price;
	/** The player set or kept this price himself, knowing the one on offer. */
	ownPrice: boolean;
	/** As typed; empty, unfinished or wrong text is kept as it is. */
	stake: string;
	requestId: string;
	phase: Phase;
}

export type SelectionKey = string;
export const keyOf = ({ marketId, runnerId, side }: Pick<Selection, 'marketId' | 'runnerId' | 'side'>): SelectionKey =>
	`${marketId}|${runnerId}|${side}`;

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
export const useSlipCount = (): number => useSlip(({ selections }) => selections.length);

function keep(selections: readonly Selection[]): void {
	useSlip.setState({ selections });
	const stored = selections
		.filter(({ phase }) => phase.kind !== 'placed')
		.map(({ phase, ...rest }) => ({ ...rest, unknown: phase.kind === 'pending' || phase.kind === 'unknown' }));
	if (stored.length > 0) writeStoredJson('betslips', stored);
	else removeStored('betslips');
}

function change(key: SelectionKey, update: (selection: Selection) => Selection): void {
	keep(useSlip.getState().selections.map((selection) => (keyOf(selection) === key ? update(selection) : selection)));
}

const isBusy = ({ phase }: Selection): boolean => phase.kind === 'pending' || phase.kind === 'unknown';

/** What a pressed price says about the bet to come. */
export type Picked = Omit<Selection, keyof BetOptions | 'ownPrice' | 'stake' | 'requestId' | 'phase'>;

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
	change(key, (selection) =>
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
	const selection = useSlip.getState().selections.find((held) => keyOf(held) === key);
	if (!selection) return;
	const ladder = ladderOf(selection.ladder);
	const rung = Math.min(ladder.rungs - 1, Math.max(0, ladder.rungOf(selection.price) + rungs));
	setPrice(key, ladder.priceAt(rung));
}

/** A placed bet's selection once more, with an empty request. */
export function betAgain(key: SelectionKey): void {
	change(key, (selection) => ({
		...selection,
		requestId: newRequestId(),
		phase: { kind: 'editing', refusal: null },
	}));
}

/** The typed stake in paise; null while it is no amount that could be staked. */
export function stakePaise(text: string): Paise | null {
	if (!/^\d{1,9}(\.\d{0,2})?$/.test(text)) return null;
	const stake = paiseFromMajor(Number(text));
	return stake !== null && stake > 0 && stake <= MAX_AMOUNT_PAISE ? stake : null;
}

/** On a line one says YES or NO. */
export const askedSide = ({ side, quoting }: Pick<Selection, 'side' | 'quoting'>): Side | 'YES' | 'NO' =>
	quoting === 'LINE' ? (side === 'BACK' ? 'YES' : 'NO') : side;

/** Places a selection. The phase turns pending before anything is sent, so a second press finds nothing to do. */
export async function placeSelection(key: SelectionKey): Promise<void> {
	const selection = useSlip.getState().selections.find((held) => keyOf(held) === key);
	if (!selection || (selection.phase.kind !== 'editing' && selection.phase.kind !== 'unknown')) return;
	const stake = stakePaise(selection.stake);
	if (stake === null) return;
	change(key, (held) => ({ ...held, phase: { kind: 'pending' } }));
	const { loginCount } = useSession.getState();
	const askedAt = performance.now();
	try {
		const bet = await call('placeBetV2', {
			marketId: selection.marketId,
			runnerId: selection.runnerId,
			side: askedSide(selection),
			price: decimalFromPrice(selection.price),
			stake: stake / 100,
			...(selection.keep ? { persistence: 'PERSIST' } : {}),
			...(selection.fillOrKill ? { timeInForce: 'FILL_OR_KILL' } : {}),
			clientRequestId: selection.requestId,
		});
		change(key, (held) => ({ ...held, phase: { kind: 'placed', bet } }));
		if (useSession.getState().loginCount === loginCount) showAnsweredWallet(bet.balance, bet.exposure, askedAt);
		refreshBets();
	} catch (failure) {
		change(key, (held) => ({
			...held,
			requestId: isOutcomeUnknown(failure) ? held.requestId : newRequestId(),
			phase: isOutcomeUnknown(failure) ? { kind: 'unknown' } : { kind: 'editing', refusal: messageOf(failure) },
		}));
	}
}

// What one player was about to bet is nobody else's; a visitor has no slip.
useSession.subscribe(({ user }, before) => {
	if (before.user !== null && user?.userId !== before.user.userId) keep([]);
});
