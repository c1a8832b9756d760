import { type ReactElement, Suspense } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { usePreferences } from '#web/store/preferences.ts';

const OneClickBanner = lazyPart(async () => ({
	default: (await import('#web/features/bet-slip/one-click-banner.tsx')).OneClickBanner,
}));

/** Over a list whose prices bet at once, too: a phone has no slip in sight that says so. */
export function OneClickNotice(): ReactElement | null {
	const isOn = usePreferences(({ oneClickStake }) => oneClickStake !== null);
	if (!isOn) return null;
	return (
		<Suspense fallback={<div className="one-click-banner" />}>
			<OneClickBanner />
		</Suspense>
	);
}
