import { type ReactElement, useEffect, useSyncExternalStore } from 'react';
import { ToastContainer, toast } from 'react-toastify/unstyled';
import { Icon } from '#ui/icon.tsx';
import { subscribeToasts, TOAST_LIMITS, takeToasts, waitingToasts } from '#ui/toast.ts';

const ICONS = {
	success: () => (
		<Icon solid className="text-profit" size="lg">
			circle-check
		</Icon>
	),
	error: () => (
		<Icon solid className="text-loss" size="lg">
			triangle-exclamation
		</Icon>
	),
	info: () => (
		<Icon solid className="text-back-text" size="lg">
			circle-info
		</Icon>
	),
};

function ToastClose({ label, closeToast }: { label: string; closeToast?: () => void }): ReactElement {
	return (
		<button type="button" className="icon-button ml-auto" aria-label={label} onClick={closeToast}>
			<Icon solid>xmark</Icon>
		</button>
	);
}

/** Draws the toasts; the library counts their time down. */
export function ToastList({ closeLabel, listLabel }: { closeLabel: string; listLabel: string }): ReactElement {
	const waiting = useSyncExternalStore(subscribeToasts, waitingToasts);
	useEffect(() => {
		if (waiting.length === 0) return;
		for (const { kind, text } of takeToasts()) toast(text, { type: kind, icon: ICONS[kind] });
	}, [waiting]);
	return (
		<ToastContainer
			{...TOAST_LIMITS}
			draggable
			closeOnClick={false}
			pauseOnHover
			pauseOnFocusLoss
			hideProgressBar={false}
			newestOnTop
			aria-label={listLabel}
			closeButton={<ToastClose label={closeLabel} />}
		/>
	);
}
