/** A dialog over the page: holds the focus, closes by Escape, and gives the focus back. */
import { type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';

export function Dialog({
	title,
	onClose,
	children,
}: {
	title: string;
	onClose: () => void;
	children: ReactNode;
}): ReactElement {
	const dialog = useRef<HTMLDialogElement>(null);
	const heading = useId();
	useEffect(() => {
		dialog.current?.showModal();
		// Typing begins in the first field, and not on the button that closes.
		dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
	}, []);
	return (
		<dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
			<header>
				<h2 id={heading}>{title}</h2>
				<button type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
					×
				</button>
			</header>
			{children}
		</dialog>
	);
}
