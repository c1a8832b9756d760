/** Screens and parts that are loaded after the first screen. */

import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType, ReactElement } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import type { Later } from '#web/routes/later-files.ts';
import { loadMoreTexts, withTexts } from '#web/texts/held.ts';

type Loaded<Name extends keyof Later> = Awaited<ReturnType<Later[Name]>>;

/** The file that exports a later screen or part. Its texts and the list of files are fetched at once. */
export async function loadLater<Name extends keyof Later>(name: Name): Promise<Loaded<Name>> {
	const [{ LATER }] = await Promise.all([import('#web/routes/later-files.ts'), loadMoreTexts()]);
	return (await LATER[name]()) as Loaded<Name>;
}

/** A screen whose file is loaded when it is first shown. */
export const laterScreen = <Name extends keyof Later & `${string}Screen`>(name: Name) =>
	lazyRouteComponent(() => loadLater(name) as Promise<Record<Name, RouteComponent>>, name);

export const loadMarket = () => withTexts(() => import('#web/features/market/market-screen.tsx'));
export const loadSlip = () => withTexts(() => import('#web/features/bet-slip/bet-slip.tsx'));

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
