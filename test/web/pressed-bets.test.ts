/** Bets that a press places, beside what was in the slip before it and who is logged in after it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minorOf } from '#values/money.ts';
import { priceAt } from '#values/price-ladder.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { keyOf } from '#web/betting/selection.ts';
import { pickPrice } from '#web/orders/pick-price.ts';
import { placeSelection } from '#web/orders/place-selection.ts';
import { setBetting } from '#web/store/preferences.ts';
import { type User, useSession } from '#web/store/session.ts';
import { pressPrice, selectionOf, setOptions, setStake, useSlip } from '#web/store/slip.ts';
import { PICKED } from '../support/selection.ts';

// Prices that can be trusted.
vi.mock('#web/live/market-now.ts', () => ({ isPausedNow: () => false }));

const KEY = keyOf(PICKED);

/** The bets that the server was asked for, as the names of their calls. */
let asked: string[];
/** Lets the server answer them. */
let answer: () => void;

const logInAs = (userId: string) =>
	useSession.setState(({ loginCount }) => ({ user: { userId } as User, loginCount: loginCount + 1 }));

beforeEach(() => {
	asked = [];
	const isAnswered = new Promise<void>((resolve) => (answer = resolve));
	vi.stubGlobal('fetch', async (url: string) => {
		if (/Bet\/Place|Trigger\/Place/.test(url)) asked.push(url.replace(/.*\/(\w+\/\w+)$/, '$1'));
		await isAnswered;
		const result = { betId: '42', status: 'UNMATCHED', balance: 1, exposure: 0 };
		return new Response(JSON.stringify({ success: true, result }));
	});
	vi.stubGlobal('document', { querySelector: () => null });
	writeStored('accessToken', 'a token');
	logInAs('Asha');
});
afterEach(() => {
	answer();
	useSession.setState(({ loginCount }) => ({ user: null, loginCount: loginCount + 1 }));
	setBetting({ oneClickStake: null });
	clearStored();
	vi.unstubAllGlobals();
});

it('one-click betting bets now, although the bet that was in the slip waits for a price', async () => {
	pressPrice(PICKED);
	setOptions(KEY, { when: 'RISES', whenAt: '5' });
	setBetting({ oneClickStake: minorOf(100_00) });
	pickPrice({ ...PICKED, price: priceAt(101) });
	await vi.waitFor(() => expect(asked).toEqual(['Bet/PlaceBetV2']));
	answer();
	await vi.waitFor(() => expect(selectionOf(KEY)?.phase.kind).toBe('placed'));
});

it('the answer to a player’s bet says nothing of the bet that the next player has picked since', async () => {
	pressPrice(PICKED);
	setStake(KEY, '500');
	const placing = placeSelection(KEY);
	await vi.waitFor(() => expect(asked).toEqual(['Bet/PlaceBetV2']));
	logInAs('Bina');
	expect(useSlip.getState().selections).toEqual([]);
	pressPrice(PICKED);
	answer();
	await placing;
	expect(selectionOf(KEY)?.phase).toEqual({ kind: 'editing', refusal: null });
});
