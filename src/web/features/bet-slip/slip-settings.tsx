import { type ReactElement, useId } from 'react';
import { Icon } from '#ui/icon.tsx';
import { ODDS_POLICIES } from '#web/betting/odds-policy.ts';
import { OneClickBanner } from '#web/features/bet-slip/one-click-banner.tsx';
import { setBetting, usePreferences } from '#web/store/preferences.ts';
import { usePresets } from '#web/store/presets.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

function OneClick(): ReactElement {
	const id = useId();
	const stake = usePreferences((preferences) => preferences.oneClickStake);
	const stakes = usePresets();
	const on = stake !== null;
	return (
		<>
			<label className="slip-option">
				<input
					type="checkbox"
					role="switch"
					aria-checked={on}
					className="switch"
					checked={on}
					onChange={() => setBetting({ oneClickStake: on ? null : (stakes[0]?.value ?? null) })}
				/>
				<span>
					{SLIP_WORDS.oneClick}
					<small>{SLIP_WORDS.oneClickHint}</small>
				</span>
			</label>
			{on && (
				<fieldset aria-labelledby={id}>
					<legend id={id} className="text-xs text-muted">
						{SLIP_WORDS.oneClickStake}
					</legend>
					<div className="grid grid-cols-4 gap-1 pt-1">
						{stakes.map(({ title, value }) => (
							<button
								key={title}
								type="button"
								className="chip"
								aria-pressed={value === stake}
								onClick={() => setBetting({ oneClickStake: value })}
							>
								{title}
							</button>
						))}
					</div>
				</fieldset>
			)}
		</>
	);
}

/** The settings of all bets of the slip: the handling of moved prices, and one-click betting. */
export function SlipSettings(): ReactElement {
	const policy = usePreferences((preferences) => preferences.oddsPolicy);
	return (
		<>
			<OneClickBanner />
			<details className="slip-more slip-settings">
				<summary>
					<Icon solid size="sm">
						gear
					</Icon>
					{SLIP_WORDS.options}
					<span className="text-muted">{SLIP_WORDS.policies[policy]}</span>
				</summary>
				<fieldset className="slip-policies">
					<legend className="text-xs text-muted">{SLIP_WORDS.policy}</legend>
					{ODDS_POLICIES.map((each) => (
						<label key={each} className="slip-policy">
							<input
								type="radio"
								name="odds-policy"
								checked={policy === each}
								onChange={() => setBetting({ oddsPolicy: each })}
							/>
							{SLIP_WORDS.policies[each]}
						</label>
					))}
				</fieldset>
				<OneClick />
			</details>
		</>
	);
}
