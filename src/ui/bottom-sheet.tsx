import '#ui/styles/overlays.css';
import { type PointerEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { isDialogOpen } from '#ui/top-layer.ts';

const DISMISS_PX = 90;

/** Keeps what had the focus before the sheet opened, and gives it back when the sheet closes. */
function useFocusWhileOpen() {
	const sheet = useRef<HTMLElement>(null);
	useEffect(() => {
		const before = document.activeElement;
		sheet.current?.focus({ preventScroll: true });
		return () => {
			if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
		};
	}, []);
	return sheet;
}

/** Esc closes wherever the focus is, because the screen behind stays usable and may have taken it; a dialog above comes first. */
function useEscape(onClose: () => void): void {
	const close = useRef(onClose);
	useEffect(() => {
		close.current = onClose;
	});
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.key === 'Escape' && !event.defaultPrevented && !isDialogOpen()) close.current();
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, []);
}

/**
 * A sheet from the bottom edge of at most 60% of the height over a screen that stays visible and usable, so it is no
 * modal: nothing is trapped. Dragging its top down or Esc closes it; the way back is the caller's.
 */
export function BottomSheet({
	label,
	onClose,
	children,
}: {
	label: string;
	onClose: () => void;
	children: ReactNode;
}): ReactElement {
	const sheet = useFocusWhileOpen();
	const [dragged, setDragged] = useState<{ from: number; by: number } | null>(null);
	useEscape(onClose);

	function drag(event: PointerEvent): void {
		if (dragged) setDragged({ ...dragged, by: Math.max(0, event.clientY - dragged.from) });
	}
	function drop(): void {
		if (dragged && dragged.by > DISMISS_PX) onClose();
		setDragged(null);
	}
	return (
		<section
			ref={sheet}
			aria-label={label}
			tabIndex={-1}
			className="bottom-sheet outline-none"
			style={dragged ? { translate: `0 ${dragged.by}px`, transition: 'none' } : undefined}
		>
			<div
				className="grid h-6 flex-none cursor-grab touch-none place-items-center"
				onPointerDown={(event) => {
					event.currentTarget.setPointerCapture(event.pointerId);
					setDragged({ from: event.clientY, by: 0 });
				}}
				onPointerMove={drag}
				onPointerUp={drop}
				onPointerCancel={drop}
			>
				<span className="h-1 w-10 rounded-full bg-line-strong" />
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
		</section>
	);
}
