/** A suspended site takes every navigation to its maintenance page, and brings the visitor back when it opens again. */

import { redirect } from '@tanstack/react-router';
import { loadBrand, useBrand } from '#web/store/brand.ts';

const MAINTENANCE = '/under-maintenance';
export const isMaintenance = ({ pathname }: { pathname: string }): boolean => pathname.toLowerCase() === MAINTENANCE;

/** Where the visitor was when the site was suspended. */
let beforeMaintenance: string | null = null;

interface Navigation {
	location: { pathname: string; href: string };
	preload: boolean;
}

/** Runs before every route. @throws a redirect to the maintenance page, or away from it */
export function redirectForMaintenance({ location, preload }: Navigation): void {
	const { suspended, loaded } = useBrand.getState();
	const isThere = isMaintenance(location);
	if (suspended && !isThere) {
		if (!preload) beforeMaintenance = location.href;
		// The first load is under way already.
		if (!preload && loaded) void loadBrand();
		throw redirect({ to: MAINTENANCE, replace: true });
	}
	if (!suspended && isThere && loaded) {
		const href = beforeMaintenance ?? '/';
		beforeMaintenance = null;
		throw redirect({ href, replace: true });
	}
}
