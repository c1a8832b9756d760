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
	link: HTMLAnchorElement;
	at: number;
	from: Point;
}

/** Draws a match while the finger rests. */
interface Ahead {
	begin: (link: HTMLAnchorElement) => void;
	/** The finger opened the match, or leaves it. */
	end: () => void;
}
let ahead: Ahead = { begin: () => undefined, end: () => undefined };
let aheadFrame = 0;

export function drawAhead(by: Ahead): void {
	ahead = by;
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

const linkAt = (target: EventTarget | null): HTMLAnchorElement | null =>
	target instanceof Element ? target.closest<HTMLAnchorElement>(LINKS) : null;

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: TouchEvent | MouseEvent): boolean =>
	altKey || ctrlKey || metaKey || shiftKey;

function giveUp(): void {
	press = null;
	cancelAnimationFrame(aheadFrame);
	ahead.end();
}

function begin(event: TouchEvent): void {
	giveUp();
	const [from, other] = event.touches;
	const link = linkAt(event.target);
	const at = event.timeStamp;
	if (!link || !from || other || at - movedAt <= MOVED_MS || isSecond(at, from)) return;
	press = { link, at, from: placeOf(from) };
	// In a frame: browsers hold timers back while a finger is down.
	aheadFrame = requestAnimationFrame(() => ahead.begin(link));
}

function move({ touches: [touch] }: TouchEvent): void {
	if (press && touch && distance(press.from, touch) > STILL_PX) giveUp();
}

function scrolled({ timeStamp }: Event): void {
	movedAt = timeStamp;
	giveUp();
}

/** Whether a lifted finger was a short press of the link that it came down on. */
function isShort({ link, at, from }: Press, event: TouchEvent, touch: Touch): boolean {
	if (!event.cancelable || event.timeStamp - at > SHORT_MS || hasModifier(event)) return false;
	if (distance(from, touch) > STILL_PX) return false;
	// The list may have changed, or something may have come to lie over it.
	return linkAt(document.elementFromPoint(touch.clientX, touch.clientY)) === link;
}

function end(event: TouchEvent): void {
	const pressed = press;
	press = null;
	cancelAnimationFrame(aheadFrame);
	const [touch] = event.changedTouches;
	if (pressed && touch && isShort(pressed, event, touch)) {
		event.preventDefault();
		last = { at: event.timeStamp, from: placeOf(touch), byTouch: true };
		pressed.link.focus({ preventScroll: true });
		pressed.link.click();
	}
	ahead.end();
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
	// A key must not take the focus to a match that is not seen yet.
	for (const type of ['touchcancel', 'contextmenu', 'keydown']) document.addEventListener(type, giveUp, passive);
	document.addEventListener('scroll', scrolled, passive);
	document.addEventListener('click', guard, { capture: true });
}
