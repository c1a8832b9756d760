/**
 * What lies above the page: the open modal dialogs, and what has to be seen and heard above them. All outside of the
 * topmost dialog is inert and below it, whatever its z-index.
 */

const dialogs: HTMLDialogElement[] = [];
const kept = new Set<HTMLElement>();

export const isDialogOpen = (): boolean => dialogs.length > 0;
export const isTopmost = (dialog: HTMLDialogElement): boolean => dialogs.at(-1) === dialog;

/** What is moved at once keeps its focus and its animations; where the browser cannot, they begin again. */
function lift(element: HTMLElement): void {
	const top = dialogs.at(-1) ?? document.body;
	if (element.parentElement === top) return;
	if (element.isConnected && typeof top.moveBefore === 'function') top.moveBefore(element, null);
	else top.append(element);
}

/** Keeps an element within the topmost dialog, or in the page while none is open. */
export function keepOnTop(element: HTMLElement): () => void {
	kept.add(element);
	lift(element);
	return () => {
		kept.delete(element);
		element.remove();
	};
}

/**
 * The page behind a dialog stays where it is. Its bar's place is kept, or the page would be wider; where bars lie over
 * the page there is no place, and one that was kept would make it narrower. A browser that cannot keep it may scroll.
 */
function holdPage(): void {
	const { documentElement: page } = document;
	if (dialogs.length === 0) Object.assign(page.style, { overflow: '', scrollbarGutter: '' });
	else if (page.style.overflow === '') {
		const hasBar = window.innerWidth > page.clientWidth;
		if (hasBar && !CSS.supports('scrollbar-gutter', 'stable')) return;
		Object.assign(page.style, { overflow: 'hidden', scrollbarGutter: hasBar ? 'stable' : '' });
	}
}

/** Says of each part of the page whether it is below the topmost dialog: not every screen reader knows that it is inert. */
function hideOthers(): void {
	const top = dialogs.at(-1);
	for (const part of document.body.children) {
		if (top && part !== top) part.setAttribute('aria-hidden', 'true');
		else part.removeAttribute('aria-hidden');
	}
}

/** The page as the open dialogs want it. */
function settlePage(): void {
	kept.forEach(lift);
	hideOthers();
	holdPage();
}

/** What had the focus when a dialog opened, the newest last: the opener of one may be gone with another. */
let openers: WeakRef<HTMLElement>[] = [];
const OPENERS_KEPT = 20;

function openersThere(): HTMLElement[] {
	const known = openers.flatMap((opener) => opener.deref() ?? []);
	return known.filter((opener) => opener.isConnected);
}

function keepOpener(opener: HTMLElement): void {
	openers = [...openersThere(), opener].slice(-OPENERS_KEPT).map((one) => new WeakRef(one));
}

/** Of those that are there, the newest that takes the focus. */
function focusOpener(): void {
	openersThere().findLast((opener) => {
		opener.focus({ preventScroll: true });
		return document.activeElement === opener;
	});
}

/**
 * Opens a dialog above all else. What it returns closes the dialog and gives the focus back to what had it.
 * @param asker what had it when the dialog was asked for; without it what has it now
 */
export function openOnTop(dialog: HTMLDialogElement, asker: Element | null = document.activeElement): () => void {
	const opener = asker instanceof HTMLElement && asker !== document.body ? asker : null;
	if (opener) keepOpener(opener);
	dialog.showModal();
	dialogs.push(dialog);
	settlePage();
	return () => {
		const wasTopmost = isTopmost(dialog);
		dialogs.splice(dialogs.indexOf(dialog), 1);
		settlePage();
		// The browser gives the focus back to the opener, if that is there and takes it.
		dialog.close();
		if (wasTopmost && opener && document.activeElement !== opener) focusOpener();
	};
}
