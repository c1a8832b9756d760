import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { openLoginDialog, showMenu, showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
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

/** The phone's navigation, five items at most; on wider screens tree, columns and top bar take its place. */
export function BottomBar(): ReactElement {
	const loggedIn = useSession((state) => state.user !== null);
	const menuOpen = useDialogs((dialogs) => dialogs.menu);
	return (
		<nav aria-label={TEXTS.frame.quick} className="bottom-bar">
			<Link to="/matchlist/$id" params={{ id: '3' }} className="bottom-item" activeProps={active}>
				<Item icon="house">{TEXTS.frame.matches}</Item>
			</Link>
			<Link to="/inplay" className="bottom-item" activeProps={active}>
				<Item icon="play">{TEXTS.menu.inPlay}</Item>
			</Link>
			<SlipItem />
			{loggedIn ? (
				<Link to="/open-bets" className="bottom-item" activeProps={active}>
					<Item icon="receipt">{TEXTS.frame.bets}</Item>
				</Link>
			) : (
				<button type="button" className="bottom-item" onClick={() => openLoginDialog()}>
					<Item icon="user">{TEXTS.frame.login}</Item>
				</button>
			)}
			<button type="button" className="bottom-item" aria-expanded={menuOpen} onClick={() => showMenu(true)}>
				<Item icon="bars">{TEXTS.menu.open}</Item>
			</button>
		</nav>
	);
}
