/**
 * Draws a match while the finger rests on its link, below the screen and out of sight, and puts it into the screen's
 * place when the navigation begins. The router goes on when that is painted: to leave the list takes as long as to show
 * the match, and no player waits for it.
 */

import { IsRestoringProvider } from '@tanstack/react-query';
import { CatchBoundary, type RouterEvents, useRouter } from '@tanstack/react-router';
import { type ReactElement, Suspense, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { MatchPage } from '#web/features/market/market-screen.tsx';
import {
	forgetAhead,
	forgetUnopened,
	openAhead,
	renderAhead,
	showAhead,
	useMatchAhead,
} from '#web/features/market/match-ahead.ts';
import { knownMatch } from '#web/live/known-match.ts';
import { noteAddress, pushWhenPainted } from '#web/routes/late-push.ts';
import { useBrand } from '#web/store/brand.ts';
import { drawnAhead } from '#web/store/drawn-ahead.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { isLoggedIn } from '#web/store/session.ts';

/** Longer than a slow phone paints a match; a page that is not seen paints nothing. */
const PAINTED_WITHIN_MS = 300;

const place = document.createElement('div');
place.className = 'match-ahead';
place.ariaHidden = 'true';

const pathOf = (eventId: string): string => `/markets/${eventId}`;

/** What stands in the match's place until the router has taken it out. */
let covered: HTMLElement[] = [];
/** How far it was scrolled. */
let scrolledTo = 0;

/** Resolves when what stands in the page now is painted: a message sent in a frame arrives after the frame's paint. */
const painted = () =>
	new Promise<void>((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => resolve();
		requestAnimationFrame(() => port2.postMessage(null));
		setTimeout(resolve, PAINTED_WITHIN_MS);
	});

async function shownAfterPaint(eventId: string): Promise<void> {
	await painted();
	noteAddress();
	drawnAhead.painted = undefined;
	showAhead(eventId);
}

function show(eventId: string): void {
	openAhead();
	// While nothing has changed yet: to take a focused element out of the page makes the browser style all of it again.
	const held = document.activeElement;
	if (held instanceof HTMLElement) held.blur();
	scrolledTo = scrollY;
	toTop();
	covered = [...(place.parentElement?.children ?? [])].filter(
		(element): element is HTMLElement => element instanceof HTMLElement && element !== place,
	);
	for (const element of covered) element.dataset['covered'] = '';
	place.ariaHidden = null;
	drawnAhead.painted = shownAfterPaint(eventId);
}

/** Unheard: the router would note this as how far the list was scrolled, if Back comes before the match is painted. */
function toTop(): void {
	if (scrollY === 0) return;
	addEventListener('scroll', (event) => event.stopImmediatePropagation(), { capture: true, once: true });
	scrollTo(0, 0);
}

function putAway(): void {
	place.ariaHidden = 'true';
	if (covered.length === 0) return;
	for (const element of covered) delete element.dataset['covered'];
	covered = [];
	scrollTo(0, scrolledTo);
}

useMatchAhead.subscribe(({ eventId }) => {
	if (eventId === null) putAway();
});

pushWhenPainted();

// By its name: it is a file of its own, which comes before.
import('#web/features/match-list/open-by-touch.ts').then(
	({ drawAhead }) =>
		drawAhead({
			begin: ({ pathname }) => {
				const eventId = pathname.split('/').at(-1) ?? '';
				const mayLook = isLoggedIn() || useBrand.getState().setting?.visitorsMayLook;
				if (mayLook && knownMatch(eventId)) renderAhead(eventId);
			},
			end: forgetUnopened,
		}),
	// Matches are then drawn when they are opened.
	() => undefined,
);

/** The router has noted how far the list is scrolled. */
function startLoading({ toLocation }: RouterEvents['onBeforeLoad']): void {
	const { eventId, isOpened } = useMatchAhead.getState();
	if (eventId === null || isOpened) return;
	if (toLocation.pathname === pathOf(eventId) && place.querySelector('.market')) show(eventId);
	else forgetAhead();
}

function endLoading({ toLocation }: RouterEvents['onResolved']): void {
	const { eventId } = useMatchAhead.getState();
	if (eventId === null) return;
	if (toLocation.pathname === pathOf(eventId)) covered = [];
	// Another screen was asked for meanwhile, such as by Back.
	else forgetAhead();
}

export function MatchAhead(): ReactElement | null {
	const router = useRouter();
	useEffect(() => {
		document.querySelector('.frame-content')?.append(place);
		const ends = [router.subscribe('onBeforeLoad', startLoading), router.subscribe('onResolved', endLoading)];
		return () => {
			for (const end of ends) end();
		};
	}, [router]);
	const eventId = useMatchAhead((ahead) => ahead.eventId);
	const isShown = useMatchAhead((ahead) => ahead.isShown);
	// As in the frame: what writes odds is built again in another format.
	const odds = usePreferences(({ oddsFormat }) => oddsFormat);
	if (eventId === null) return null;
	return createPortal(
		<CatchBoundary getResetKey={() => eventId} errorComponent={() => null} onCatch={forgetAhead}>
			<Suspense fallback={null}>
				{/* Until it is shown, it asks the server for nothing: to send a question takes as long as to draw a market. */}
				<IsRestoringProvider value={!isShown}>
					<MatchPage key={`${eventId} ${odds}`} eventId={eventId} isShown={isShown} />
				</IsRestoringProvider>
			</Suspense>
		</CatchBoundary>,
		place,
	);
}
