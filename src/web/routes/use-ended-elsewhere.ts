import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isLoggedIn, useSession } from '#web/store/session.ts';

/** A screen that needs a login is left when another tab has ended it: the guards run again. */
export function useEndedElsewhere(): void {
	const router = useRouter();
	useEffect(() => {
		let hasEnded = false;
		const end = useSession.subscribe(({ user }, before) => {
			hasEnded ||= before.user !== null && user === null;
		});
		// The session has heard of it before.
		const look = () => {
			if (hasEnded && !isLoggedIn()) void router.invalidate();
			hasEnded = false;
		};
		globalThis.addEventListener('storage', look);
		return () => {
			end();
			globalThis.removeEventListener('storage', look);
		};
	}, [router]);
}
