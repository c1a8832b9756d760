import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { FormScreen } from '#ui/form-screen.tsx';
import { Icon } from '#ui/icon.tsx';
import { Choices } from '#web/features/settings/choices.tsx';
import { OddsFormatChoice } from '#web/features/settings/odds-format.tsx';
import { SelfMatch } from '#web/features/settings/self-match.tsx';
import { useTheme } from '#web/store/look.ts';
import { setShowBalance, setShowExposure, setTheme, usePreferences } from '#web/store/preferences.ts';
import { ACCOUNT_TEXTS, API_TEXTS, IDENTITY_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = ACCOUNT_TEXTS.settings;

const MORE = [
	{ to: '/protection', text: TEXTS.frame.protection },
	{ to: '/identity', text: IDENTITY_TEXTS.title },
	{ to: '/change-button-values', text: words.stakes },
	{ to: '/change-password', text: ACCOUNT_TEXTS.password.title },
	{ to: '/contact', text: ACCOUNT_TEXTS.contact.title },
	{ to: '/security', text: TEXTS.titles.security },
	{ to: '/notifications', text: TEXTS.titles.notifications },
	{ to: '/activity', text: TEXTS.titles.activity },
	{ to: '/login-attempts', text: ACCOUNT_TEXTS.attempts.title },
	{ to: '/api-access', text: API_TEXTS.title },
	{ to: '/rules', text: TEXTS.rules.title },
] as const;

function Switch({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
	return (
		<label className="flex min-h-11 items-center justify-between gap-4">
			{label}
			<input
				type="checkbox"
				role="switch"
				aria-checked={on}
				className="switch"
				checked={on}
				onChange={(event) => onChange(event.target.checked)}
			/>
		</label>
	);
}

/** /settings: what is kept on this device, and the ways to what is kept with the player. */
export function SettingsScreen(): ReactElement {
	const { showBalance, showExposure } = usePreferences();
	const theme = useTheme();
	return (
		<FormScreen title={words.title}>
			<section aria-label={words.display} className="rounded-lg border border-line bg-surface-1 p-4">
				<h2 className="mb-2 font-semibold">{words.display}</h2>
				<Switch label={words.showBalance} on={showBalance} onChange={setShowBalance} />
				<Switch label={words.showExposure} on={showExposure} onChange={setShowExposure} />
				<Choices
					name="theme"
					legend={words.theme}
					words={{ dark: words.dark, light: words.light }}
					chosen={theme}
					inLine
					onChoose={setTheme}
				/>
			</section>
			<OddsFormatChoice />
			<SelfMatch />
			<nav aria-label={words.more} className="rounded-lg border border-line bg-surface-1 p-2">
				{MORE.map(({ to, text }) => (
					<Link
						key={to}
						to={to}
						className="flex min-h-11 items-center justify-between rounded-md px-2 hover:bg-surface-3"
					>
						{text}
						<Icon solid size="xs" className="text-muted">
							chevron-right
						</Icon>
					</Link>
				))}
			</nav>
		</FormScreen>
	);
}
