/**
 * The one modal of site and console. It pulls in the dialog library, so screens load it lazily with what it shows.
 */

import '#ui/styles/overlays.css';
import { Dialog } from '@base-ui/react/dialog';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { Icon } from '#ui/icon.tsx';

interface ModalProps {
	open: boolean;
	onClose: () => void;
	/** Stands in the header and names the dialog. */
	title: string;
	/** Read out loud as the close button's name. */
	closeLabel: string;
	/** In place of the plain title, such as a row of tabs; the title is still read out loud. */
	header?: ReactNode;
	footer?: ReactNode;
	size?: 'small' | 'normal' | 'large' | 'wide';
	/** Any CSS height; without it the content decides. */
	height?: string;
	/** A sheet from the bottom edge on phones. */
	sheet?: boolean;
	/** Transparent, without a header: the welcome variant. */
	bare?: boolean;
	/** Gets the focus when the modal opens; by default the first focusable element. */
	initialFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
	children: ReactNode;
}

function ModalHeader({
	title,
	closeLabel,
	header,
	bare,
}: Pick<ModalProps, 'title' | 'closeLabel' | 'header' | 'bare'>) {
	const close = (
		<Dialog.Close className="icon-button" aria-label={closeLabel}>
			<Icon solid size="lg">
				xmark
			</Icon>
		</Dialog.Close>
	);
	if (bare) {
		return (
			<div className="flex justify-end">
				<Dialog.Title className="unseen">{title}</Dialog.Title>
				{close}
			</div>
		);
	}
	return (
		<div className="flex flex-none items-center justify-between gap-2 py-2 pr-2 pl-5">
			<Dialog.Title className={header ? 'unseen' : 'text-lg font-semibold'}>{title}</Dialog.Title>
			{header}
			{close}
		</div>
	);
}

/** Closes on the backdrop, the close button and Esc; traps the focus and restores it. */
export function Modal(props: ModalProps): ReactElement {
	const { open, onClose, size = 'normal', sheet, bare, initialFocus, footer, children } = props;
	return (
		<Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
			<Dialog.Portal>
				<Dialog.Backdrop className="modal-backdrop" />
				<Dialog.Popup
					className="modal"
					data-size={size}
					data-sheet={sheet || undefined}
					data-bare={bare || undefined}
					initialFocus={initialFocus}
					style={props.height ? { height: props.height } : undefined}
				>
					<ModalHeader {...props} />
					<div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pb-5">{children}</div>
					{footer && <div className="flex-none border-t border-line px-5 py-3">{footer}</div>}
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}
