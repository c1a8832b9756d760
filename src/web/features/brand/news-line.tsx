import { type CSSProperties, type ReactElement, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { useBrand } from '#web/store/brand.ts';
import { TEXTS } from '#web/texts.ts';

/** A reader's pace. */
const SECONDS_A_LETTER = 0.14;
const LEAST_SECONDS = 14;

/** The brand's news passing by; it stops under the pointer, at a press, and for good where motion is not wanted. */
export function NewsLine(): ReactElement | null {
	const news = useBrand((state) => state.setting?.news);
	const [paused, setPaused] = useState(false);
	const still = useMediaQuery('(prefers-reduced-motion: reduce)');
	if (!news || news.length === 0) return null;
	const seconds = Math.max(LEAST_SECONDS, news.join('').length * SECONDS_A_LETTER);
	return (
		<aside aria-label={TEXTS.brand.news} className="marquee" data-still={still || undefined}>
			<Icon solid className="text-muted">
				tower-broadcast
			</Icon>
			<div className="marquee-window">
				<ul
					className="marquee-items"
					data-paused={paused || undefined}
					style={{ '--marquee-time': `${seconds}s` } as CSSProperties}
				>
					{news.map((sentence) => (
						<li key={sentence}>
							<bdi>{sentence}</bdi>
						</li>
					))}
				</ul>
			</div>
			{!still && (
				<button
					type="button"
					className="icon-button"
					aria-label={paused ? TEXTS.marquee.play : TEXTS.marquee.pause}
					onClick={() => setPaused(!paused)}
				>
					<Icon solid size="sm">
						{paused ? 'play' : 'pause'}
					</Icon>
				</button>
			)}
		</aside>
	);
}
