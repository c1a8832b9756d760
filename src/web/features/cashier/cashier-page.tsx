/** What the cashier's screens share: the heading, the way from one part to the next, and why a part is closed. */
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { ERRORS } from '#values/error-catalogue.ts';
import { CASHIER_TEXTS } from '#web/texts/cashier.ts';
import './cashier.css';

const words = CASHIER_TEXTS;

const PARTS = [
	{ to: '/deposit', text: words.parts.deposit },
	{ to: '/withdrawal', text: words.parts.withdrawal },
	{ to: '/dwrequests', text: words.parts.requests },
] as const;

export function CashierPage({ title, children }: { title: string; children: ReactNode }): ReactElement {
	return (
		<div className="cashier">
			<h1>{title}</h1>
			<nav aria-label={words.parts.label}>
				{PARTS.map(({ to, text }) => (
					<Link key={to} to={to}>
						{text}
					</Link>
				))}
			</nav>
			{children}
		</div>
	);
}

/** The sentence for a refusal's code. Only demo players are forbidden to use the cashier. */
export function reasonOf(refusal: string): string {
	if (refusal === 'FORBIDDEN') return words.demo;
	return refusal in ERRORS ? ERRORS[refusal as keyof typeof ERRORS].message : words.closed;
}
