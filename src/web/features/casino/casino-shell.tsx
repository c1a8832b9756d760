/** The shell of every casino screen: on a wide screen with the casino's own navigation at its side. */
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { gameOf } from '#games/all-games.ts';
import { Icon } from '#ui/icon.tsx';
import { chartLine, circleDot, clone, dice, shield } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { useMediaQuery } from '#ui/media-query.ts';
import { GameArt } from '#web/features/casino/game-art.tsx';
import { useGameMarks } from '#web/features/casino/game-marks.ts';
import { SECTIONS, type Section } from '#web/features/casino/sections.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './casino.css';

registerIcons([chartLine, circleDot, clone, dice, shield]);

const words = CASINO_TEXTS.lobby;
/** Narrower screens have the sections above the lobby's tiles. */
const NAV_FROM = '(width >= 64rem)';
const ICONS: Readonly<Record<Section, string>> = {
	all: 'house',
	originals: 'dice',
	tables: 'circle-dot',
	cards: 'clone',
	studios: 'tv',
};

function Item({ children, ...link }: { children: ReactNode } & Pick<LinkProps, 'to' | 'params'>): ReactElement {
	return (
		<li>
			<Link {...link} className="casino-nav-item" activeProps={{ 'aria-current': 'page' }}>
				{children}
			</Link>
		</li>
	);
}

/** Games one click away: favourites first, then recently played ones. */
function MarkedGames(): ReactElement | null {
	const { favourites, recent } = useGameMarks();
	const games = [...new Set([...favourites, ...recent])].flatMap((code) => gameOf(code) ?? []);
	if (games.length === 0) return null;
	return (
		<>
			<p className="casino-nav-head">{words.marked}</p>
			<ul aria-label={words.marked}>
				{games.map(({ code, name }) => (
					<Item key={code} to="/casino/$game" params={{ game: code }}>
						<GameArt code={code} />
						{name}
					</Item>
				))}
			</ul>
		</>
	);
}

function OwnPages(): ReactElement {
	return (
		<>
			<p className="casino-nav-head">{words.own}</p>
			<ul aria-label={words.own}>
				<Item to="/casino-rounds">
					<Icon solid>clock-rotate-left</Icon>
					{words.rounds}
				</Item>
				<Item to="/fairness">
					<Icon solid>circle-check</Icon>
					{words.verify}
				</Item>
				<Item to="/fairness-figures">
					<Icon solid>chart-line</Icon>
					{CASINO_TEXTS.figures.title}
				</Item>
				<Item to="/protection">
					<Icon solid>shield</Icon>
					{TEXTS.frame.protection}
				</Item>
			</ul>
		</>
	);
}

function CasinoNav({ section }: { section: Section | null }): ReactElement {
	const { isKnown } = useGameMarks();
	return (
		<nav aria-label={words.title} className="casino-nav">
			<ul>
				{SECTIONS.map((key) => (
					<li key={key}>
						<Link
							to="/lobby-page/$section"
							params={{ section: key }}
							className="casino-nav-item"
							aria-current={key === section ? 'page' : undefined}
						>
							<Icon solid>{ICONS[key]}</Icon>
							{words.sections[key]}
						</Link>
					</li>
				))}
			</ul>
			{/* What is below the marked games does not come before them. */}
			{isKnown && (
				<>
					<MarkedGames />
					<OwnPages />
				</>
			)}
		</nav>
	);
}

/** @param section the part of the lobby that is shown; null on other screens */
export function CasinoShell({
	section = null,
	children,
}: {
	section?: Section | null;
	children: ReactNode;
}): ReactElement {
	const hasNav = useMediaQuery(NAV_FROM);
	return (
		<div className="casino-shell">
			{hasNav && <CasinoNav section={section} />}
			{children}
		</div>
	);
}
