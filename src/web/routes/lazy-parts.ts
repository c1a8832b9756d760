/** Screens and parts that are loaded after the first screen: the market page, the slip, the menu and the search come before they are asked for. */

import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType, ReactElement } from 'react';
import { lazyPart, loadPatiently } from '#ui/lazy-part.ts';
import { loadLaterCalls } from '#web/api/client.ts';
import type { Later } from '#web/routes/later-files.ts';
import { isLoggedIn } from '#web/store/session.ts';
import { loadMoreTexts, withTexts } from '#web/texts/held.ts';

type Loaded<Name extends keyof Later> = Awaited<ReturnType<Later[Name]>>;

/** The file that exports a later screen or part. Its texts and the list of files are fetched at once. */
async function loadLater<Name extends keyof Later>(name: Name): Promise<Loaded<Name>> {
	const [{ LATER }] = await Promise.all([import('#web/routes/later-files.ts'), loadMoreTexts()]);
	return (await LATER[name]()) as Loaded<Name>;
}

/** A screen whose file is loaded when it is first shown. */
export const laterScreen = <Name extends keyof Later & `${string}Screen`>(name: Name) =>
	lazyRouteComponent(() => loadLater(name) as Promise<Record<Name, RouteComponent>>, name);

export const loadMarket = () => withTexts(() => import('#web/features/market/market-screen.tsx'));
const loadSlip = () => withTexts(() => import('#web/features/bet-slip/bet-slip.tsx'));

type PropsOf<Name extends keyof Later> =
	Loaded<Name> extends Record<Name, (props: infer Props extends object) => ReactElement | null> ? Props : never;

/** A part whose file is loaded when it is first shown. */
const laterPart = <Name extends keyof Later>(name: Name) =>
	lazyPart(async () => ({ default: ((await loadLater(name)) as Record<Name, ComponentType<PropsOf<Name>>>)[name] }));

export const ErrorScreen = laterPart('ErrorScreen');
export const MenuModal = laterPart('MenuModal');
export const SearchDialog = laterPart('SearchDialog');
export const LoginOutlet = laterPart('LoginOutlet');
export const HeldMoneyDialog = laterPart('HeldMoneyDialog');
export const OneClickBanner = laterPart('OneClickBanner');
export const PositionPart = laterPart('PositionPart');
export const DockedLadder = laterPart('DockedLadder');
export const WelcomeModal = laterPart('WelcomeModal');
export const BetSlip = lazyPart(async () => ({ default: (await loadSlip()).BetSlip }));
// The frame shows these around the first screen: they wait for no list of files.
export const OpenBets = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/open-bets/open-bets.tsx'))).OpenBets,
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

/** Loads one part after another, each when the page is idle; the rest waits for one that does not come. */
export async function loadAhead(): Promise<void> {
	// A player has no use for the login before the session ends.
	const names = [
		'MenuModal',
		'SearchDialog',
		'ErrorScreen',
		...(isLoggedIn() ? [] : ['LoginOutlet' as const]),
	] as const;
	const later = names.map((name) => () => loadLater(name));
	for (const load of [loadLaterCalls, loadMarket, loadSlip, ...later]) {
		// Not every browser says when it is idle.
		await new Promise<unknown>((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
		await loadPatiently<unknown>(load);
	}
}
