/** The flight of Crash as a canvas and a figure, drawn once a frame, wherever it is shown. */
import { type RefObject, useEffect, useRef } from 'react';
import { GROWTH } from '#games/crash/flight.ts';
import { CrashScene, type SceneFrame } from '#web/features/casino/crash/crash-scene.ts';
import { type CrashView, flightClock, useCrash } from '#web/features/casino/crash/crash-store.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { movesLess } from '#web/features/casino/moves-less.ts';

/** Shown in place of a multiplier while the connection is silent. */
const UNKNOWN = '…';

/** The frame that the loop draws; everything that React does not keep. */
function frameOf({ snapshot, mine }: CrashView, nowMs: number): SceneFrame & { cents: number | null } {
	const { phase = 'CLOSED', round = '', crashCents = null } = snapshot?.state ?? {};
	const cashOuts = mine.flatMap((bet) => (bet.round === round && bet.cents !== null ? [bet.cents] : []));
	if (phase === 'FLYING') {
		const elapsedMs = flightClock.elapsedMs(nowMs);
		return { phase: 'flying', elapsedMs, cashOuts, cents: flightClock.cents(nowMs) };
	}
	if (phase === 'CRASHED' && crashCents !== null)
		return { phase: 'crashed', elapsedMs: Math.log(crashCents / 100) / GROWTH, cashOuts, cents: crashCents };
	return { phase: 'idle', elapsedMs: 0, cashOuts: [], cents: 100 };
}

/**
 * One loop draws the canvas and the figures that change with every frame.
 * @param onFlight gets the multiplier of each frame of a flight, hundredths; null while the connection is silent
 */
export function useCrashFrames(
	canvas: RefObject<HTMLCanvasElement | null>,
	figure: RefObject<HTMLElement | null>,
	onFlight?: (cents: number | null) => void,
): void {
	const listener = useRef(onFlight);
	useEffect(() => {
		listener.current = onFlight;
	});
	useEffect(() => {
		if (!canvas.current) return;
		const scene = new CrashScene(canvas.current, movesLess());
		const watch = new ResizeObserver(() => scene.resize());
		watch.observe(canvas.current);
		const theme = new MutationObserver(() => scene.resize());
		theme.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'style'] });
		let shown = '';
		let request = requestAnimationFrame(function draw(nowMs) {
			const view = useCrash.getState();
			const now = performance.now();
			const frame = frameOf(view, now);
			scene.draw(frame, nowMs);
			const { untilMs, snapshot } = view;
			const seconds = untilMs === null ? null : Math.max(0, untilMs - now) / 1_000;
			const isIdle = frame.phase === 'idle';
			const wait = snapshot?.state.phase === 'BETTING' && seconds !== null ? `${seconds.toFixed(1)} s` : '';
			const flown = frame.cents === null ? UNKNOWN : multiplierText(frame.cents);
			const text = isIdle ? wait : flown;
			if (figure.current && text !== shown) {
				figure.current.textContent = text;
				shown = text;
			}
			if (frame.phase === 'flying') listener.current?.(frame.cents);
			request = requestAnimationFrame(draw);
		});
		return () => {
			cancelAnimationFrame(request);
			watch.disconnect();
			theme.disconnect();
		};
	}, [canvas, figure]);
}
