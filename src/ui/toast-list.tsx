import '#ui/styles/overlays.css';
import { type ReactElement, useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { ToastContainer, type ToastTransitionProps, toast } from 'react-toastify/unstyled';
import { Icon } from '#ui/icon.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { subscribeToasts, TOAST_LIMITS, takeToasts, waitingToasts } from '#ui/toast.ts';
import { keepOnTop } from '#ui/top-layer.ts';

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

const LEAVE_MS = 150;

/**
 * Starts the countdown and removes the toast by timers. The library's own transitions wait for the end of CSS animations,
 * which never comes without its style sheet.
 */
function Transition({ children, isIn, preventExitTransition, done, playToast }: ToastTransitionProps): ReactElement {
	const start = useEffectEvent(playToast);
	const remove = useEffectEvent(done);
	useEffect(() => start(), []);
	useEffect(() => {
		if (isIn) return;
		const timer = setTimeout(() => remove(), preventExitTransition ? 0 : LEAVE_MS);
		return () => clearTimeout(timer);
	}, [isIn, preventExitTransition]);
	return <>{children}</>;
}

function ToastClose({ label, closeToast }: { label: string; closeToast?: () => void }): ReactElement {
	return (
		<button type="button" className="icon-button ml-auto" aria-label={label} onClick={closeToast}>
			<Icon solid>xmark</Icon>
		</button>
	);
}

/** Draws the toasts, above an open dialog as above the page; the library counts their time down. */
export function ToastList({ closeLabel, listLabel }: { closeLabel: string; listLabel: string }): ReactElement {
	// A tap on a phone enters a toast and never leaves it.
	const pauseOnHover = useMediaQuery('(hover: hover)');
	const waiting = useSyncExternalStore(subscribeToasts, waitingToasts);
	const [place] = useState(() => document.createElement('div'));
	useLayoutEffect(() => keepOnTop(place), [place]);
	useEffect(() => {
		if (waiting.length === 0) return;
		for (const { kind, text } of takeToasts()) toast(text, { type: kind, icon: ICONS[kind] });
	}, [waiting]);
	return createPortal(
		<ToastContainer
			{...TOAST_LIMITS}
			transition={Transition}
			draggable
			closeOnClick={false}
			pauseOnHover={pauseOnHover}
			pauseOnFocusLoss={false}
			hideProgressBar={false}
			newestOnTop
			aria-label={listLabel}
			closeButton={<ToastClose label={closeLabel} />}
		/>,
		place,
	);
}
