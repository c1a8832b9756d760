/** Shared by the cashier's screens: the heading, the links between the parts, and why a part is closed. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { DemoCoins } from '#ui/demo-coins.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { type PaymentInfo, paymentInfoQuery } from '#web/store/funds-queries.ts';
import { useSession } from '#web/store/session.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './cashier.css';

/** With the sentences of all refusals, which few players need. */
export const ClosedPart = lazyPart(async () => ({
	default: (await import('#web/features/cashier/closed-part.tsx')).ClosedPart,
}));

const words = CASHIER_TEXTS;
const waiting = <Skeleton className="cashier-waiting" />;

const PARTS = [
	{ to: '/deposit', text: words.parts.deposit },
	{ to: '/withdrawal', text: words.parts.withdrawal },
	{ to: '/dwrequests', text: words.parts.requests },
] as const;

export function CashierPage({ title, children }: { title: string; children: ReactNode }): ReactElement {
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	return (
		<FormScreen title={title} className="cashier">
			{isDemo && <DemoCoins title={words.demoCoins}>{words.demo}</DemoCoins>}
			<nav aria-label={words.parts.label}>
				{PARTS.map(({ to, text }) => (
					<Link key={to} to={to}>
						{text}
					</Link>
				))}
			</nav>
			{children}
		</FormScreen>
	);
}

/**
 * A part that depends on the player's deposit and withdrawal rules; it states that a simulator stands in for the bank.
 * @param beside what stands below the failure where the rules did not come, because it needs none of them
 */
export function PaymentPage({
	beside,
	children,
}: {
	beside?: ReactNode;
	children: (info: PaymentInfo) => ReactNode;
}): ReactElement {
	const asked = useQuery(paymentInfoQuery());
	return (
		<CashierPage title={words.title}>
			<Loaded asked={asked} words={TEXTS.app} waiting={waiting} empty={null} isEmpty={() => false}>
				{(info) => (
					<>
						{info.isSimulated && <p className="cashier-note">{words.simulated}</p>}
						<Suspense fallback={waiting}>{children(info)}</Suspense>
					</>
				)}
			</Loaded>
			{asked.data === undefined && asked.error !== null && beside}
		</CashierPage>
	);
}
