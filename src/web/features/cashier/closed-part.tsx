/** A part of the cashier that is closed to the player, with its reason. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ScreenState } from '#ui/screen-state.tsx';
import { ERRORS } from '#values/error-catalogue.ts';
import { CASHIER_TEXTS, REFUSALS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const messages = Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message]));
/** The page of limits shows the end of a bar. */
const BARS: ReadonlySet<string> = new Set(['EXCLUDED', 'TIMED_OUT', 'ACCOUNT_CLOSED', 'ACCOUNT_FROZEN']);

export function ClosedPart({ code }: { code: string }): ReactElement {
	const sentences: Readonly<Record<string, string>> = REFUSALS ?? messages;
	return (
		<ScreenState
			icon="wallet"
			title={sentences[code] ?? CASHIER_TEXTS.closed}
			action={
				BARS.has(code) && (
					<Link to="/protection" className="button" data-variant="outline">
						{TEXTS.frame.protection}
					</Link>
				)
			}
		/>
	);
}
