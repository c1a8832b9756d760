import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { openLoginDialog, showSlipSheet, useDialogs } from '#web/store/dialogs.ts';
import { useSession } from '#web/store/session.ts';
import { useSlipCount } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

const ITEM =
	'relative flex min-h-14 flex-1 flex-col items-center justify-center gap-1 text-2xs text-muted data-[active]:text-brand-text';

function Item({ icon, children }: { icon: string; children: ReactNode }): ReactElement {
	return (
		<>
			<Icon solid size="lg">
				{icon}
			</Icon>
			{children}
		</>
	);
}

function SlipItem(): ReactElement {
	const count = useSlipCount();
	const open = useDialogs((dialogs) => dialogs.slipSheet);
	return (
		<button
			type="button"
			className={ITEM}
			data-active={open || undefined}
			aria-expanded={open}
			onClick={() => showSlipSheet(!open)}
		>
			<Item icon="ticket">{TEXTS.frame.slip}</Item>
			{count > 0 && (
				<span className="absolute top-1 left-1/2 ml-2 grid h-4 min-w-4 place-items-center rounded-full bg-brand px-1 text-2xs font-bold text-on-brand">
					{count}
					<span className="unseen">{TEXTS.frame.selections}</span>
				</span>
			)}
		</button>
	);
}

/** The phone's navigation; on wider screens tree, columns and top bar take its place. */
export function BottomBar(): ReactElement {
	const loggedIn = useSession((state) => state.user !== null);
	return (
		<nav
			aria-label={TEXTS.frame.quick}
			className="fixed inset-x-0 bottom-0 z-40 flex border-t border-line bg-surface-1 pb-[env(safe-area-inset-bottom)] xl:hidden"
		>
			<Link to="/matchlist/$id" params={{ id: '3' }} className={ITEM} activeProps={{ 'data-active': true }}>
				<Item icon="house">{TEXTS.frame.matches}</Item>
			</Link>
			<SlipItem />
			{loggedIn ? (
				<>
					<Link to="/open-bets" className={ITEM} activeProps={{ 'data-active': true }}>
						<Item icon="receipt">{TEXTS.frame.bets}</Item>
					</Link>
					<Link to="/bet-history" className={ITEM} activeProps={{ 'data-active': true }}>
						<Item icon="clock-rotate-left">{TEXTS.frame.history}</Item>
					</Link>
				</>
			) : (
				<button type="button" className={ITEM} onClick={() => openLoginDialog()}>
					<Item icon="user">{TEXTS.frame.login}</Item>
				</button>
			)}
		</nav>
	);
}
