/** The layout flags, and the welcome that is said once a day. */
import { afterEach, describe, expect, it } from 'vitest';
import { clearStored } from '#web/api/storage.ts';
import { DEFAULT_LAYOUT, enterLobby, leaveLobby, setLayout, useLayout } from '#web/store/layout.ts';
import { isWelcomeDue, keepWelcomeSeen } from '#web/store/welcome.ts';

afterEach(() => {
	setLayout(DEFAULT_LAYOUT);
	clearStored();
});

describe('layout flags', () => {
	it('give the casino the width of the page on the way in, and are as before on the way out', () => {
		enterLobby();
		expect(useLayout.getState()).toEqual({
			...DEFAULT_LAYOUT,
			sidebar: false,
			sideColumn: false,
			scrollableNavbar: false,
			backToSports: true,
		});
		leaveLobby();
		expect(useLayout.getState()).toEqual(DEFAULT_LAYOUT);
	});

	it('of wallet box, search and video box are set one by one', () => {
		setLayout({ walletBox: false, search: false });
		setLayout({ videoBox: false });
		expect(useLayout.getState()).toEqual({ ...DEFAULT_LAYOUT, walletBox: false, search: false, videoBox: false });
	});
});

describe('the welcome', () => {
	const setting = { domain: 'a.example', welcome: { title: 'Hello', text: 'You.' } };
	const morning = new Date(2026, 10, 21, 8);

	it('is said once a day', () => {
		expect(isWelcomeDue(setting, morning)).toBe(true);
		keepWelcomeSeen(setting, morning);
		expect(isWelcomeDue(setting, new Date(2026, 10, 21, 23))).toBe(false);
		expect(isWelcomeDue(setting, new Date(2026, 10, 22, 1))).toBe(true);
	});

	it('is said again when the brand has another one, and never by a brand without', () => {
		keepWelcomeSeen(setting, morning);
		expect(isWelcomeDue({ ...setting, welcome: { title: 'New', text: '' } }, morning)).toBe(true);
		expect(isWelcomeDue({ ...setting, welcome: null }, morning)).toBe(false);
	});
});
