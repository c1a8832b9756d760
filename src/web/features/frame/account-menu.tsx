import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useRef } from 'react';
import { Icon } from '#ui/icon.tsx';
import {
	chartLine,
	clock,
	envelope,
	gift,
	moneyBillTransfer,
	moneyBillWave,
	moon,
	shield,
	sun,
	userPlus,
} from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { inboxQuery } from '#web/store/inbox-queries.ts';
import { useTheme } from '#web/store/look.ts';
import { setTheme } from '#web/store/preferences.ts';
import { TEXTS } from '#web/texts.ts';

registerIcons([chartLine, clock, envelope, gift, moneyBillTransfer, moneyBillWave, moon, shield, sun, userPlus]);

const ITEMS = [
	{ to: '/your-money', icon: 'wallet', text: TEXTS.titles.money },
	{ to: '/open-bets', icon: 'ticket', text: TEXTS.frame.bets },
	{ to: '/bet-history', icon: 'clock-rotate-left', text: TEXTS.frame.history },
	{ to: '/ProfitLoss', icon: 'chart-line', text: TEXTS.titles.profitLoss },
	{ to: '/activity', icon: 'eye', text: TEXTS.titles.activity },
	{ to: '/account-cash-statement', icon: 'receipt', text: TEXTS.frame.statement },
	{ to: '/deposit', icon: 'money-bill-wave', text: TEXTS.menu.deposit },
	{ to: '/withdrawal', icon: 'money-bill-transfer', text: TEXTS.menu.withdrawal },
	{ to: '/dwrequests', icon: 'clock', text: TEXTS.frame.requests },
	{ to: '/bonus', icon: 'gift', text: TEXTS.menu.bonuses },
	{ to: '/referral', icon: 'user-plus', text: TEXTS.frame.referral },
	{ to: '/messages', icon: 'envelope', text: TEXTS.frame.messages },
	{ to: '/proof', icon: 'circle-check', text: TEXTS.titles.proof },
	{ to: '/protection', icon: 'shield', text: TEXTS.frame.protection },
	{ to: '/rules', icon: 'circle-info', text: TEXTS.rules.title },
	{ to: '/settings', icon: 'gear', text: TEXTS.frame.settings },
] as const;

const MENU_ID = 'account-menu';
const ITEM = 'flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left hover:bg-surface-3';

function ThemeItem(): ReactElement {
	const theme = useTheme();
	const other = theme === 'dark' ? 'light' : 'dark';
	return (
		<button type="button" className={ITEM} onClick={() => setTheme(other)}>
			<Icon solid fixedWidth className="text-muted">
				{other === 'dark' ? 'moon' : 'sun'}
			</Icon>
			{TEXTS.frame[other]}
		</button>
	);
}

/** A native popover: Esc and a press outside close it, the browser gives the focus back. */
export function AccountMenu({ name, isDemo }: { name: string; isDemo: boolean }): ReactElement {
	const menu = useRef<HTMLElement>(null);
	const unread = useQuery({ ...inboxQuery(), enabled: !isDemo }).data?.unread ?? 0;
	const close = () => menu.current?.hidePopover();
	return (
		<>
			<button
				type="button"
				className="flex min-h-11 items-center gap-2 rounded-md px-2 hover:bg-surface-3"
				popoverTarget={MENU_ID}
				aria-label={[`${TEXTS.frame.account}: ${name}`, ...(unread > 0 ? [TEXTS.frame.unread(unread)] : [])].join(', ')}
			>
				<span className="relative grid size-8 place-items-center rounded-full bg-surface-3 text-text">
					<Icon solid>user</Icon>
					{unread > 0 && <span className="account-unread" />}
				</span>
				<span className="max-w-[8rem] truncate font-semibold max-lg:hidden">{name}</span>
				<Icon solid size="xs" className="text-muted max-lg:hidden">
					chevron-down
				</Icon>
			</button>
			<nav ref={menu} id={MENU_ID} popover="auto" className="account-menu" aria-label={TEXTS.frame.account}>
				<p className="px-3 pt-2 font-semibold">{name}</p>
				{isDemo && <p className="px-3 pb-1 text-xs text-muted">{TEXTS.frame.demo}</p>}
				{ITEMS.map(({ to, icon, text }) => (
					<Link key={to} to={to} className={ITEM} onClick={close}>
						<Icon solid fixedWidth className="text-muted">
							{icon}
						</Icon>
						{text}
						{to === '/messages' && unread > 0 && (
							<span className="account-count">
								<span aria-hidden="true">{unread}</span>
								<span className="unseen">{TEXTS.frame.unread(unread)}</span>
							</span>
						)}
					</Link>
				))}
				<div className="account-menu-foot">
					<ThemeItem />
					<Link to="/Auth/Logout" className={ITEM} onClick={close}>
						<Icon solid fixedWidth className="text-muted">
							arrow-right-from-bracket
						</Icon>
						{TEXTS.frame.logout}
					</Link>
				</div>
			</nav>
		</>
	);
}
