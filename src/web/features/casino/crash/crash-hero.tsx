import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { minorOf } from '#values/money.ts';
import { crashRounds, useCrash } from '#web/features/casino/crash/crash-store.ts';
import { heightOf, multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { useCrashFrames } from '#web/features/casino/crash/use-crash-frames.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import './crash.css';
import './crash-hero.css';

const words = CASINO_TEXTS.lobby.hero;
const GAME = 'crash';
const MOST_MARKS = 12;
const MOST_WINS = 3;

/** The largest wins of the last rounds: what was won, beyond the stake. */
function Wins(): ReactElement {
	const top = useCrash(({ snapshot }) => snapshot?.top);
	if (top?.length === 0) return <p className="crash-hero-wins text-muted">{CASINO_TEXTS.crash.lists.noTop}</p>;
	const wins = (top ?? []).filter(({ payout, stake }) => payout > stake).slice(0, MOST_WINS);
	return (
		<ul className="crash-hero-wins" aria-label={words.wins}>
			{wins.map(({ betId, name, cents, payout, stake }) => (
				<li key={betId}>
					<span className="truncate">{name}</span> <b>{formatMoney(minorOf(payout - stake))}</b>{' '}
					<small>{cents === null ? '' : multiplierText(cents)}</small>
				</li>
			))}
		</ul>
	);
}

/** The round of Crash that goes on now, above the shelves; a press opens the game. */
export function CrashHero({ name }: { name: string }): ReactElement {
	const canvas = useRef<HTMLCanvasElement>(null);
	const figure = useRef<HTMLParagraphElement>(null);
	const phase = useCrash(({ snapshot }) => snapshot?.state.phase ?? 'CLOSED');
	const isKnown = useCrash(({ snapshot }) => snapshot !== null);
	const recent = useCrash(({ snapshot }) => snapshot?.recent);
	useEffect(() => crashRounds.follow(GAME), []);
	useCrashFrames(canvas, figure);
	return (
		<section className="crash-hero" aria-label={name}>
			<Link to="/casino/$game" params={{ game: GAME }} className="crash-stage" data-phase={phase.toLowerCase()}>
				<div className="crash-rays motion" aria-hidden="true" />
				<canvas ref={canvas} aria-hidden="true" />
				<span className="crash-hero-name">
					<strong>{name}</strong>
					<span>{words.play}</span>
				</span>
				<div className="crash-figure" aria-hidden="true">
					<p ref={figure} />
					<span>{isKnown ? CASINO_TEXTS.crash.phases[phase] : ''}</span>
				</div>
			</Link>
			<ol className="crash-hero-marks" aria-label={CASINO_TEXTS.crash.strip}>
				{(recent ?? []).slice(0, MOST_MARKS).map(({ round, cents }) => (
					<li key={round} data-height={heightOf(cents)}>
						{multiplierText(cents)}
					</li>
				))}
			</ol>
			<Wins />
		</section>
	);
}
