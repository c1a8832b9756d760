import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { openDialog, showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
import { useLayout } from '#web/store/layout.ts';
import { useSession } from '#web/store/session.ts';
import { useSlipCount } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

function Item({ icon, children }: { icon: string; children: ReactNode }): ReactElement {
	return (
		<>
			<Icon solid size="lg">
				{icon}
			</Icon>
			<span className="max-w-full truncate">{children}</span>
		</>
	);
}

function SlipItem(): ReactElement {
	const count = useSlipCount();
	const open = useDialogs((dialogs) => dialogs.slipSheet);
	return (
		<button
			type="button"
			className="bottom-item"
			data-active={open || undefined}
			aria-expanded={open}
			onClick={() => showSlipSheet(!open)}
		>
			<Item icon="ticket">{TEXTS.frame.slip}</Item>
			{count > 0 && (
				<span className="bottom-count">
					{count}
					<span className="unseen">{TEXTS.frame.selections}</span>
				</span>
			)}
		</button>
	);
}

const active = { 'data-active': true };

function Way({ icon, text, ...link }: { icon: string; text: string } & Pick<LinkProps, 'to' | 'params'>): ReactElement {
	return (
		<Link {...link} className="bottom-item" activeProps={active}>
			<Item icon={icon}>{text}</Item>
		</Link>
	);
}

const toMatches = { to: '/matchlist/$id', params: { id: '3' } } as const;

/** In the casino the bar leads through it, and out of it. */
function CasinoBar(): ReactElement {
	const words = TEXTS.frame.casinoBar;
	return (
		<nav aria-label={TEXTS.frame.quick} className="bottom-bar">
			<Way to="/lobby" icon="dice" text={words.games} />
			<Way to="/casino-rounds" icon="clock-rotate-left" text={words.rounds} />
			<Way to="/fairness" icon="circle-check" text={words.fairness} />
			<Way to="/your-money" icon="wallet" text={words.wallet} />
			<Way {...toMatches} icon="house" text={words.sports} />
		</nav>
	);
}

/** The phone's navigation, five items at most; on wider screens tree, columns and top bar take its place. */
export function BottomBar(): ReactElement {
	const loggedIn = useSession((state) => state.user !== null);
	const menuOpen = useDialogs(({ open }) => open === 'menu');
	const inCasino = useLayout(({ backToSports }) => backToSports);
	if (inCasino) return <CasinoBar />;
	return (
		<nav aria-label={TEXTS.frame.quick} className="bottom-bar">
			<Way {...toMatches} icon="house" text={TEXTS.frame.matches} />
			<Way to="/lobby" icon="dice" text={TEXTS.menu.casino} />
			<SlipItem />
			{loggedIn ? (
				<Way to="/open-bets" icon="receipt" text={TEXTS.frame.bets} />
			) : (
				<button type="button" className="bottom-item" onClick={() => openDialog('login')}>
					<Item icon="user">{TEXTS.frame.login}</Item>
				</button>
			)}
			<button type="button" className="bottom-item" aria-expanded={menuOpen} onClick={() => openDialog('menu')}>
				<Item icon="bars">{TEXTS.menu.open}</Item>
			</button>
		</nav>
	);
}
