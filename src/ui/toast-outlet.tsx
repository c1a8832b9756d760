import { type ReactElement, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { subscribeToasts, waitingToasts } from '#ui/toast.ts';

const loadToastList = () => import('#ui/toast-list.tsx');
const ToastList = lazyPart(async () => ({ default: (await loadToastList()).ToastList }));

/** Loaded after the first screen: a message about a lost network must not need the network. */
const LOAD_AFTER_MS = 2000;

/** Placed once at the root; draws the toast list from the first toast on, and loads it slightly before. */
export function ToastOutlet(labels: { closeLabel: string; listLabel: string }): ReactElement | null {
	const any = useSyncExternalStore(subscribeToasts, waitingToasts).length > 0;
	const [needed, setNeeded] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => void loadToastList().catch(() => undefined), LOAD_AFTER_MS);
		return () => clearTimeout(timer);
	}, []);
	if (any && !needed) setNeeded(true);
	return needed || any ? (
		<Suspense fallback={null}>
			<ToastList {...labels} />
		</Suspense>
	) : null;
}
