/** A brand's look before it is saved: a piece of the site in a theme and in colours. */
import type { CSSProperties, ReactElement } from 'react';
import type { DomainSetting } from '#contract/domain-setting.ts';
import siteTokens from '#ui/styles/tokens.css?raw';

type Look = Pick<DomainSetting, 'theme' | 'themeTokens' | 'domainTitle'>;

/** The site's own tokens of a theme. */
function tokensOf(theme: Look['theme']): Record<string, string> {
	const block = siteTokens.split(`.${theme} {`)[1]?.split('}')[0] ?? '';
	return Object.fromEntries(
		[...block.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g)].map(([, name, value]) => [name ?? '', value ?? '']),
	);
}

export function LookPreview({ look: { theme, themeTokens, domainTitle } }: { look: Look }): ReactElement {
	const tokens = Object.entries({ ...tokensOf(theme), ...themeTokens });
	return (
		<section aria-label="Preview">
			<div
				className="look"
				data-theme={theme}
				style={Object.fromEntries(tokens.map(([name, value]) => [`--${name}`, value])) as CSSProperties}
			>
				<p className="look-bar">
					<b>{domainTitle}</b> <span>In-Play</span> <span className="look-action">Log in</span>
				</p>
				<p className="look-row">
					<span>India v Nepal</span>
					{['back-3', 'back-2', 'back', 'lay', 'lay-2', 'lay-3'].map((cell, at) => (
						<span key={cell} className="look-price" style={{ background: `var(--${cell})` }}>
							{(1.9 + at / 50).toFixed(2)}
						</span>
					))}
				</p>
				<p className="look-row">
					<span className="look-muted">Balance</span> <span className="look-profit">+1,200.00</span>{' '}
					<span className="look-loss">-300.00</span> <span className="look-action">Place bet</span>
				</p>
			</div>
		</section>
	);
}
