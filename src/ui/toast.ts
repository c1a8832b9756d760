/** Toasts by a call from anywhere; the library that draws them is loaded with the first one. */

type ToastKind = 'success' | 'error' | 'info';

/** Product specification, section 9: how long a toast stays, how many there are, and how far a drag dismisses one. */
export const TOAST_LIMITS = { autoClose: 5000, limit: 20, draggablePercent: 60 } as const;

interface ToastMessage {
	id: number;
	kind: ToastKind;
	text: string;
}

let waiting: readonly ToastMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly ToastMessage[]): void {
	waiting = next;
	for (const listener of listeners) listener();
}

export function showToast(kind: ToastKind, text: string): void {
	lastId += 1;
	change([...waiting, { id: lastId, kind, text }]);
}

/** The toasts that are not shown yet, for useSyncExternalStore. */
export const waitingToasts = (): readonly ToastMessage[] => waiting;

export function subscribeToasts(listener: () => void): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}

/** Takes the toasts that are not shown yet. */
export function takeToasts(): readonly ToastMessage[] {
	const taken = waiting;
	if (taken.length > 0) change([]);
	return taken;
}
