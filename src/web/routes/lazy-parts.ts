/** Parts that are loaded after the first screen: the market page, the slip, the menu and the search come before they are asked for. */

import { lazyPart } from '#ui/lazy-part.ts';
import { loadLaterCalls } from '#web/api/client.ts';
import { pause } from '#web/pause.ts';
import { withTexts } from '#web/texts/held.ts';

const REALITY_CHECK_AFTER_MS = 10_000;

export const loadMarket = () => withTexts(() => import('#web/features/market/market-screen.tsx'));
const loadErrorScreen = () => withTexts(() => import('#web/features/errors/error-screen.tsx'));
const loadMenu = () => withTexts(() => import('#web/features/menu/menu-modal.tsx'));
const loadSearch = () => withTexts(() => import('#web/features/search/search-dialog.tsx'));
const loadSlip = () => withTexts(() => import('#web/features/bet-slip/bet-slip.tsx'));

export const ErrorScreen = lazyPart(async () => ({ default: (await loadErrorScreen()).ErrorScreen }));
export const MenuModal = lazyPart(async () => ({ default: (await loadMenu()).MenuModal }));
export const SearchDialog = lazyPart(async () => ({ default: (await loadSearch()).SearchDialog }));
export const BetSlip = lazyPart(async () => ({ default: (await loadSlip()).BetSlip }));
export const LoginDialog = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/login/login-dialog.tsx'))).LoginDialog,
}));
export const HeldMoneyDialog = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/protection/held-money.tsx'))).HeldMoneyDialog,
}));
export const PasswordDialog = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/password/password-dialog.tsx'))).PasswordDialog,
}));
export const TermsDialog = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/terms/terms-dialog.tsx'))).TermsDialog,
}));
export const LimitQuestion = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/protection/limit-question.tsx'))).LimitQuestion,
}));
/** Not due before minutes have passed, so that it comes after all that the first screen needs. */
export const RealityCheck = lazyPart(async () => {
	await pause(REALITY_CHECK_AFTER_MS);
	return { default: (await withTexts(() => import('#web/features/protection/reality-check.tsx'))).RealityCheck };
});
export const OpenBets = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/open-bets/open-bets.tsx'))).OpenBets,
}));
export const PositionPart = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/market/cockpit/position-part.tsx'))).PositionPart,
}));
export const DockedLadder = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/market/cockpit/docked-ladder.tsx'))).DockedLadder,
}));
export const SiteFooter = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/brand/site-footer.tsx'))).SiteFooter,
}));
export const ImageSlider = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/banner/image-slider.tsx'))).ImageSlider,
}));
export const LiveHero = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/match-list/live-hero.tsx'))).LiveHero,
}));
export const WelcomeModal = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/welcome/welcome-modal.tsx'))).WelcomeModal,
}));

/** Loads one part after another, each when the page is idle. A part that does not load is loaded again when it is shown. */
export async function loadAhead(): Promise<void> {
	for (const load of [loadLaterCalls, loadMarket, loadSlip, loadMenu, loadSearch, loadErrorScreen]) {
		// Not every browser says when it is idle.
		await new Promise<unknown>((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
		await load().catch(() => undefined);
	}
}
