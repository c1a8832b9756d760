import { isDialogOpen } from '#ui/top-layer.ts';

/** Whether a key was pressed for the screen: not into a field, not with a modifier, and not while a dialog is open. */
export function isFreeKey({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
	const isTyping = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
	return !isTyping && !ctrlKey && !metaKey && !altKey && !isDialogOpen();
}
