import { type ReactElement, type RefObject, useEffect, useRef } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { playStart, playWin } from '#web/features/casino/casino-sound.ts';
import { BetSlot, type SlotHandle } from '#web/features/casino/crash/bet-slot.tsx';
import { CrashLists } from '#web/features/casino/crash/crash-lists.tsx';
import {
	type CrashMark,
	crashRounds,
	crashSound,
	flightTotals,
	useCrash,
} from '#web/features/casino/crash/crash-store.ts';
import { heightOf, multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { useCrashFrames } from '#web/features/casino/crash/use-crash-frames.ts';
import { resultText } from '#web/features/casino/result-text.ts';
import { RoundsFrame, type Strip } from '#web/features/casino/rounds-frame.tsx';
import { SoundSwitch } from '#web/features/casino/sound-switch.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import './crash.css';

const words = CASINO_TEXTS.crash;
const SLOTS = [1, 2] as const;

const Proof = lazyPart(async () => ({
	default: (await import('#web/features/casino/crash/crash-proof.tsx')).CrashProof,
}));

const STRIP: Strip<CrashMark> = {
	className: 'crash-strip',
	label: words.strip,
	most: 50,
	buttonOf: ({ round, cents }) => ({
		text: multiplierText(cents),
		said: words.crash(round, multiplierText(cents)),
		height: heightOf(cents),
	}),
};

/** The space bar cashes out, unless another element handles it. */
function useSpaceBar(slots: RefObject<(SlotHandle | null)[]>): void {
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (event.code !== 'Space' || event.repeat) return;
			const { target } = event;
			if (target instanceof Element && target.closest('input, select, textarea, button, a, summary, [role="tab"]'))
				return;
			if (slots.current?.some((slot) => slot?.cashOut())) event.preventDefault();
		};
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, [slots]);
}

/** The texts that are read out: phases and own results, never a ticking figure. */
function useSaid(): string {
	const view = useCrash();
	const { phase = 'CLOSED', crashCents = null } = view.snapshot?.state ?? {};
	const own = flightTotals(view);
	const paid = own && own.payout > 0 ? resultText(own) : '';
	if (phase === 'CRASHED' && crashCents !== null)
		return `${words.crashedAt(multiplierText(crashCents))} ${paid}`.trim();
	if (phase === 'FLYING') return paid || words.flying;
	return phase === 'BETTING' ? words.betting : '';
}

/** Sounds, if turned on: the start of a flight with the player's bet, and a win. */
function useSounds(): void {
	useEffect(
		() =>
			useCrash.subscribe((view, before) => {
				const sound = crashSound(view, before);
				if (sound === 'start') playStart();
				if (sound === 'win') playWin();
			}),
		[],
	);
}

function Stage({ slots }: { slots: RefObject<(SlotHandle | null)[]> }): ReactElement {
	const canvas = useRef<HTMLCanvasElement>(null);
	const figure = useRef<HTMLParagraphElement>(null);
	const { snapshot, isAway } = useCrash();
	const phase = snapshot?.state.phase ?? 'CLOSED';
	const said = useSaid();
	useCrashFrames(canvas, figure, (cents) => {
		for (const slot of slots.current ?? []) slot?.show(cents);
	});
	const label = isAway ? words.away : words.phases[phase];
	return (
		<div className="crash-stage" data-phase={phase.toLowerCase()}>
			<div className="crash-rays motion" aria-hidden="true" />
			<canvas ref={canvas} aria-hidden="true" />
			<div className="crash-figure" aria-hidden="true">
				<p ref={figure} />
				<span>{label}</span>
			</div>
			<SoundSwitch />
			<output className="unseen">{said}</output>
		</div>
	);
}

export function CrashGame(): ReactElement {
	const slots = useRef<(SlotHandle | null)[]>([]);
	const isKnown = useCrash(({ snapshot }) => snapshot !== null);
	useSpaceBar(slots);
	useSounds();
	return (
		<RoundsFrame
			game="crash"
			rounds={crashRounds}
			strip={STRIP}
			interrupted={words.interrupted}
			lists={<CrashLists />}
			Proof={Proof}
		>
			<div className="game-table">
				<Stage slots={slots} />
				<div className="game-panel crash-panel">
					{isKnown ? (
						SLOTS.map((slot) => (
							<BetSlot
								key={slot}
								slot={slot}
								ref={(handle) => {
									slots.current[slot - 1] = handle;
								}}
							/>
						))
					) : (
						<Skeleton className="game-waiting" />
					)}
				</div>
			</div>
		</RoundsFrame>
	);
}
