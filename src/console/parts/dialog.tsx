/** The kit's modal in the console's words. Typing begins in the first field, and not on the button that closes. */
import { type ReactElement, type ReactNode, useRef } from 'react';
import { Modal } from '#ui/modal.tsx';

export function Dialog({
	title,
	onClose,
	children,
}: {
	title: string;
	onClose: () => void;
	children: ReactNode;
}): ReactElement {
	const content = useRef<HTMLDivElement>(null);
	const firstField = () => content.current?.querySelector<HTMLElement>('input, select, textarea') ?? null;
	return (
		<Modal open size="wide" title={title} closeLabel="Close" onClose={onClose} initialFocus={firstField}>
			<div ref={content} className="dialog-content">
				{children}
			</div>
		</Modal>
	);
}
