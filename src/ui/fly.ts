/** Long enough to be followed, short enough to delay nothing. */
const FLIGHT_MS = 200;

/** The first visible one. */
const shownOf = (selector: string): Element | undefined =>
	[...document.querySelectorAll(selector)].find((element) => element.checkVisibility());

/**
 * Slides a copy of the content of `from` to the first visible element of a selector, and fades it. Only transform and
 * opacity change; with reduced motion nothing happens.
 */
export function flyTo(from: Element | null | undefined, selector: string): void {
	const to = shownOf(selector);
	if (!from || !to || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
	const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
	const copy = from.cloneNode(true) as HTMLElement;
	copy.inert = true;
	copy.classList.add('flying');
	Object.assign(copy.style, { left: `${start.x}px`, top: `${start.y}px`, width: `${start.width}px` });
	document.body.append(copy);
	const [x, y] = [
		end.x + end.width / 2 - start.x - start.width / 2,
		end.y + end.height / 2 - start.y - start.height / 2,
	];
	const flight = copy.animate(
		[
			{ transform: 'none', opacity: 0.9 },
			{ transform: `translate(${x}px, ${y}px) scale(0.3)`, opacity: 0 },
		],
		{ duration: FLIGHT_MS, easing: 'ease-out' },
	);
	flight.onfinish = () => copy.remove();
	flight.oncancel = () => copy.remove();
}
