/** The one modal of site and console: the browser's own dialog, with what the browser leaves to the page. */

import '#ui/styles/overlays.css';
import {
	type KeyboardEvent,
	type PointerEvent,
	type ReactElement,
	type ReactNode,
	type RefObject,
	useId,
	useLayoutEffect,
	useRef,
	useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '#ui/icon.tsx';
import { isTopmost, openOnTop } from '#ui/top-layer.ts';

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
	/** What had the focus when the modal was asked for, where that may be long before it opens. */
	opener?: Element | null | undefined;
	/** Gets the focus when the modal opens; by default the first focusable element. */
	initialFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
	children: ReactNode;
}

function ModalHeader({
	title,
	titleId,
	closeLabel,
	onClose,
	header,
	bare,
}: Pick<ModalProps, 'title' | 'closeLabel' | 'onClose' | 'header' | 'bare'> & { titleId: string }) {
	const close = (
		<button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
			<Icon solid size="lg">
				xmark
			</Icon>
		</button>
	);
	if (bare) {
		return (
			<div className="flex justify-end">
				<h2 id={titleId} className="unseen">
					{title}
				</h2>
				{close}
			</div>
		);
	}
	return (
		<div className="flex flex-none items-center justify-between gap-2 py-2 pr-2 pl-5">
			<h2 id={titleId} className={header ? 'unseen' : 'text-lg font-semibold'}>
				{title}
			</h2>
			{header}
			{close}
		</div>
	);
}

const STOPS = 'a[href], button, input, select, textarea, summary, iframe, audio, video, [tabindex]';

/** What the Tab key stops at, in its order. */
const stopsIn = (part: HTMLElement): HTMLElement[] =>
	[...part.querySelectorAll<HTMLElement>(STOPS)].filter(
		(stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility({ visibilityProperty: true }),
	);

/** From its last stop Tab goes on to its first, and back; the browser would go on to its own buttons. */
function stayInside(event: KeyboardEvent<HTMLElement>, dialog: HTMLElement): void {
	const stops = stopsIn(dialog);
	const [leaving, next] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
	const held = document.activeElement;
	const isAtEnd = held === leaving || (event.shiftKey && !stops.some((stop) => stop === held));
	if (!isAtEnd) return;
	event.preventDefault();
	next?.focus();
}

/** A press closes that begins and ends on the backdrop, so that text can be selected to beyond the edge. */
function useBackdropPress(onClose: () => void) {
	const isPressed = useRef(false);
	const isOnBackdrop = ({ target, currentTarget }: { target: unknown; currentTarget: unknown }) =>
		target === currentTarget;
	return {
		onPointerDown: (event: PointerEvent) => void (isPressed.current = isOnBackdrop(event)),
		onPointerUp: (event: PointerEvent) => void (isPressed.current &&= isOnBackdrop(event)),
		onClick: () => {
			if (isPressed.current) onClose();
			isPressed.current = false;
		},
	};
}

/** Keys that move within a group, such as of tabs: in a dialog they never move what the dialog belongs to. */
const GROUP_KEYS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);
/** A browser says by it that a key was for the writing of a language. */
const COMPOSING = 229;

/** Closes on the backdrop, the close button and Esc; holds the focus and gives it back. */
export function Modal(props: ModalProps): ReactElement {
	const { open, onClose, size = 'normal', sheet, bare, initialFocus, opener, footer, children } = props;
	const dialog = useRef<HTMLDialogElement>(null);
	const panel = useRef<HTMLDivElement>(null);
	const focus = useRef(initialFocus);
	const asker = useRef(opener);
	const titleId = useId();
	// What is within measures and scrolls itself, so it comes when the dialog is there.
	const [isThere, setThere] = useState(false);
	useLayoutEffect(() => {
		if (!open || !dialog.current) return;
		const close = openOnTop(dialog.current, asker.current);
		setThere(true);
		return close;
	}, [open]);
	useLayoutEffect(() => {
		if (!open || !isThere || !panel.current) return;
		const asked = typeof focus.current === 'function' ? focus.current() : focus.current?.current;
		(asked ?? stopsIn(panel.current)[0] ?? panel.current).focus();
	}, [open, isThere]);

	function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
		if (GROUP_KEYS.has(event.key)) event.stopPropagation();
		if (event.defaultPrevented || event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
		if (event.key === 'Tab') stayInside(event, event.currentTarget);
		if (event.key !== 'Escape') return;
		// Neither the browser nor what lies below closes anything more.
		event.preventDefault();
		event.stopPropagation();
		onClose();
	}
	/** What had the focus is gone: without it a screen reader would begin at the top. */
	function keepFocus(): void {
		const isLost = document.activeElement === document.body;
		if (isLost && dialog.current && isTopmost(dialog.current)) panel.current?.focus();
	}
	return createPortal(
		// oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a dialog is left by key and by its backdrop
		<dialog
			ref={dialog}
			className="modal-layer"
			aria-labelledby={titleId}
			onKeyDown={onKeyDown}
			// Of the way back of a phone, and of Esc where nothing has the focus.
			onCancel={(event) => {
				if (event.target !== event.currentTarget) return;
				event.preventDefault();
				onClose();
			}}
			onBlur={({ relatedTarget }) => relatedTarget === null && requestAnimationFrame(keepFocus)}
			{...useBackdropPress(onClose)}
		>
			{isThere && (
				<div
					ref={panel}
					tabIndex={-1}
					className="modal"
					data-size={size}
					data-sheet={sheet || undefined}
					data-bare={bare || undefined}
					style={props.height ? { height: props.height } : undefined}
				>
					<ModalHeader {...props} titleId={titleId} />
					<div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pb-5">{children}</div>
					{footer && <div className="flex-none border-t border-line px-5 py-3">{footer}</div>}
				</div>
			)}
		</dialog>,
		document.body,
	);
}
