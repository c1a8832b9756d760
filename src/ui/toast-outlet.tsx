import { lazy, type ReactElement, Suspense, useState, useSyncExternalStore } from 'react';
import { subscribeToasts, waitingToasts } from '#ui/toast.ts';

const ToastList = lazy(async () => ({ default: (await import('#ui/toast-list.tsx')).ToastList }));

/** Stands once at the root; loads the toast list when the first toast is shown and keeps it from then on. */
export function ToastOutlet(labels: { closeLabel: string; listLabel: string }): ReactElement | null {
	const any = useSyncExternalStore(subscribeToasts, waitingToasts).length > 0;
	const [needed, setNeeded] = useState(false);
	if (any && !needed) setNeeded(true);
	return needed || any ? (
		<Suspense fallback={null}>
			<ToastList {...labels} />
		</Suspense>
	) : null;
}
