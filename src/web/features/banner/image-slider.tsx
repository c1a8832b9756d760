import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import type { SportTree } from '#web/api/answers.ts';
import { SportScene } from '#web/features/banner/sport-scene.tsx';
import { formatDay, formatTime } from '#web/format.ts';
import { useActiveSports } from '#web/store/active-sports.ts';
import { useBrand } from '#web/store/brand.ts';
import { setLayout } from '#web/store/layout.ts';
import { sportTreeQuery } from '#web/store/queries.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.slider;
const TURN_MS = 6000;

interface Slide {
	title: string;
	text: string;
	path: string;
	/** A picture's path, or the sport whose scene is drawn. */
	picture: string | number;
}

/** A sport's text: the number of matches in play, or the next one. */
function sportText(sport: SportTree[number] | undefined): string {
	const events = sport?.events ?? [];
	const inPlay = events.filter(({ status }) => status === 'IN_PLAY').length;
	if (inPlay > 0) return words.inPlay(inPlay);
	const next = events.find(({ status }) => status === 'UPCOMING');
	if (!next) return words.nothing;
	return words.upNext(next.title, `${formatDay(next.matchDate, TEXTS.matches)} ${formatTime(next.matchDate)}`);
}

/** The brand's own slides, or a card for each of its sports. */
function useSlides(): Slide[] {
	const own = useBrand((state) => state.setting?.slides) ?? [];
	const sports = useActiveSports();
	const { data: tree } = useQuery(sportTreeQuery());
	const hero = useBrand((state) => state.setting?.heroImage) ?? '';
	if (own.length > 0)
		return own.map(({ title, text, path, image }, at) => ({ title, text, path, picture: image || hero || at }));
	return sports.map(({ id }) => ({
		title: sportName(id),
		text: sportText(tree?.find((sport) => sport.id === id)),
		path: `/matchlist/${id}`,
		picture: id,
	}));
}

/** One card on, or back to the first from the last. */
function turn(row: HTMLElement | null, by: 1 | -1, smooth: boolean): void {
	const card = row?.firstElementChild;
	if (!row || !card) return;
	const step = card.getBoundingClientRect().width + 8;
	const last = row.scrollWidth - row.clientWidth;
	const wrapped = by > 0 && row.scrollLeft >= last - 4 ? 0 : by < 0 && row.scrollLeft <= 4 ? last : null;
	row.scrollTo({ left: wrapped ?? row.scrollLeft + by * step, behavior: smooth ? 'smooth' : 'instant' });
}

/** Advances automatically, unless it is paused, hovered, focused, or on a hidden page. */
function useTurning(row: RefObject<HTMLElement | null>, running: boolean): void {
	useEffect(() => {
		if (!running) return;
		const timer = setInterval(() => {
			const held = row.current?.matches(':hover, :focus-within');
			if (!document.hidden && !held) turn(row.current, 1, true);
		}, TURN_MS);
		return () => clearInterval(timer);
	}, [row, running]);
}

function Card({ slide }: { slide: Slide }): ReactElement {
	return (
		<li className="slide">
			<Link to={slide.path} className="slide-link">
				{typeof slide.picture === 'number' ? (
					<SportScene sportId={slide.picture} />
				) : (
					<img src={slide.picture} alt="" className="slide-image" />
				)}
				<span className="slide-words">
					<bdi className="text-base font-bold">{slide.title}</bdi>
					<bdi className="slide-text">{slide.text}</bdi>
				</span>
			</Link>
		</li>
	);
}

function Control({ label, icon, onPress }: { label: string; icon: string; onPress: () => void }): ReactElement {
	return (
		<button
			type="button"
			className="icon-button"
			data-hide={icon === 'xmark' || undefined}
			aria-label={label}
			onClick={onPress}
		>
			<Icon solid size="sm" {...(icon === 'back' ? { transform: 'rotate-180' } : {})}>
				{icon === 'back' ? 'chevron-right' : icon}
			</Icon>
		</button>
	);
}

/**
 * The image slider header: cards that scroll under the finger, and advance on their own if a pointer can hover and
 * motion is allowed.
 */
export function ImageSlider(): ReactElement {
	const slides = useSlides();
	const row = useRef<HTMLUListElement>(null);
	const [paused, setPaused] = useState(false);
	const reduced = useMediaQuery('(prefers-reduced-motion: reduce)');
	const still = !useMediaQuery('(hover: hover)') || reduced;
	useTurning(row, !paused && !still);
	return (
		<section aria-label={words.label} className="slider">
			<ul ref={row} className="slides">
				{slides.map((slide) => (
					<Card key={`${slide.title} ${slide.path}`} slide={slide} />
				))}
			</ul>
			<div className="slider-controls">
				<Control label={words.previous} icon="back" onPress={() => turn(row.current, -1, !still)} />
				{!still && (
					<Control
						label={paused ? words.play : words.pause}
						icon={paused ? 'play' : 'pause'}
						onPress={() => setPaused(!paused)}
					/>
				)}
				<Control label={words.next} icon="chevron-right" onPress={() => turn(row.current, 1, !still)} />
				<Control label={words.hide} icon="xmark" onPress={() => setLayout({ imageSliderHeader: false })} />
			</div>
		</section>
	);
}
