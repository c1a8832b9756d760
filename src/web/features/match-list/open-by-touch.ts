/**
 * Opens a match when the finger leaves its row. The browser's own click comes later: by then it has made a tap of the
 * touch and mouse events of the tap, and has looked up each time what lies under them. Whatever may be more than a short
 * press of one finger stays the browser's, and so do mouse, keyboard and screen reader.
 */

/** The links to matches in lists; a row's star and prices lie beside or above them. */
const LINKS = '.match-link, .hero-link';
/** A finger that moves further scrolls; browsers allow about as much. */
const STILL_PX = 10;
/** One that rests longer asks for the link's menu. */
const SHORT_MS = 400;
/** A touch so soon after the page moved stops it. */
const MOVED_MS = 200;
/** A second press so soon, at about the same place, belongs to the first: on a slow phone the player has not seen yet what it would hit. */
const SECOND_MS = 400;
const SAME_PLACE_PX = 40;

interface Point {
	clientX: number;
	clientY: number;
}
interface Press {
	link: HTMLElement;
	at: number;
	from: Point;
}

/** The finger that is down. */
let press: Press | null = null;
let movedAt = Number.NEGATIVE_INFINITY;
/** How a match was opened last. */
let last = { at: Number.NEGATIVE_INFINITY, from: { clientX: 0, clientY: 0 }, byTouch: false };

/** A copy: browsers may change a touch while it lasts. */
const placeOf = ({ clientX, clientY }: Point): Point => ({ clientX, clientY });
const distance = (from: Point, to: Point): number => Math.hypot(from.clientX - to.clientX, from.clientY - to.clientY);

/** Whether an event is the second half of the press that opened a match. */
const isSecond = (at: number, place: Point): boolean =>
	at - last.at < SECOND_MS && distance(last.from, place) < SAME_PLACE_PX;

const linkAt = (target: EventTarget | null): HTMLElement | null =>
	target instanceof Element ? target.closest<HTMLElement>(LINKS) : null;

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: TouchEvent | MouseEvent): boolean =>
	altKey || ctrlKey || metaKey || shiftKey;

function giveUp(): void {
	press = null;
}

function begin(event: TouchEvent): void {
	const [from, other] = event.touches;
	const link = linkAt(event.target);
	const at = event.timeStamp;
	press =
		link && from && !other && at - movedAt > MOVED_MS && !isSecond(at, from) ? { link, at, from: placeOf(from) } : null;
}

function move({ touches: [touch] }: TouchEvent): void {
	if (press && touch && distance(press.from, touch) > STILL_PX) giveUp();
}

function scrolled({ timeStamp }: Event): void {
	movedAt = timeStamp;
	giveUp();
}

function end(event: TouchEvent): void {
	const pressed = press;
	giveUp();
	const { timeStamp: at, changedTouches, cancelable } = event;
	const [touch] = changedTouches;
	if (!pressed || !touch || !cancelable || at - pressed.at > SHORT_MS || hasModifier(event)) return;
	if (distance(pressed.from, touch) > STILL_PX) return;
	// The list may have changed, or something may have come to lie over it.
	if (linkAt(document.elementFromPoint(touch.clientX, touch.clientY)) !== pressed.link) return;
	event.preventDefault();
	last = { at, from: placeOf(touch), byTouch: true };
	pressed.link.focus({ preventScroll: true });
	pressed.link.click();
}

/** Takes the second click of a double press from whatever came to lie under it, such as a price. */
function guard(event: MouseEvent): void {
	const { timeStamp: at, isTrusted, detail } = event;
	// Keys and screen readers click without a count.
	if (!isTrusted || detail === 0) return;
	if (isSecond(at, event) && (last.byTouch || detail > 1)) {
		event.preventDefault();
		event.stopPropagation();
	} else if (linkAt(event.target) && !hasModifier(event)) last = { at, from: placeOf(event), byTouch: false };
}

export function openMatchesByTouch(): void {
	const passive = { capture: true, passive: true };
	document.addEventListener('touchstart', begin, passive);
	document.addEventListener('touchmove', move, passive);
	document.addEventListener('touchend', end, { capture: true, passive: false });
	for (const type of ['touchcancel', 'contextmenu']) document.addEventListener(type, giveUp, passive);
	document.addEventListener('scroll', scrolled, passive);
	document.addEventListener('click', guard, { capture: true });
}
