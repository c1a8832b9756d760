import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '#ui/icon.tsx';
import { dice } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { SportIcon } from '#ui/sport-icon.tsx';
import { useActiveSports } from '#web/store/active-sports.ts';
import { useLayout } from '#web/store/layout.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';

registerIcons([dice]);

const ALL_SPORTS = 0;

function Item({ children, ...link }: { children: ReactNode } & Pick<LinkProps, 'to' | 'params'>): ReactElement {
	return (
		<Link {...link} className="sport-item" activeProps={{ 'aria-current': 'page' }}>
			{children}
		</Link>
	);
}

/** Brings the chosen sport into sight, without moving the page. */
function useChosenInSight() {
	const row = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const chosen = row.current?.querySelector<HTMLElement>('[aria-current="page"]');
		if (row.current && chosen) row.current.scrollLeft = chosen.offsetLeft - row.current.clientWidth / 3;
	}, []);
	return row;
}

function Sports(): ReactElement {
	const sports = useActiveSports();
	const row = useChosenInSight();
	return (
		<div ref={row} className="sport-items">
			<Item to="/inplay">
				<Icon solid>play</Icon>
				{TEXTS.menu.inPlay}
			</Item>
			<Item to="/favorites">
				<Icon solid>star</Icon>
				{TEXTS.menu.favourites}
			</Item>
			{[ALL_SPORTS, ...sports.map(({ id }) => id)].map((id) => (
				<Item key={id} to="/matchlist/$id" params={{ id: String(id) }}>
					<SportIcon sportId={id} size={18} />
					{sportName(id)}
				</Item>
			))}
			<Item to="/lobby">
				<Icon solid>dice</Icon>
				{TEXTS.menu.casino}
			</Item>
		</div>
	);
}

/** The sports in a row that scrolls sideways; in the casino's lobby the way back to them. */
export function SportBar(): ReactElement | null {
	const { scrollableNavbar, backToSports } = useLayout();
	if (!scrollableNavbar && !backToSports) return null;
	return (
		<nav aria-label={TEXTS.bar.label} className="sport-bar">
			{backToSports && (
				<Link to="/matchlist/$id" params={{ id: '3' }} className="sport-item" data-back>
					<Icon solid transform="rotate-180">
						chevron-right
					</Icon>
					{TEXTS.bar.backToSports}
				</Link>
			)}
			{scrollableNavbar && <Sports />}
		</nav>
	);
}
