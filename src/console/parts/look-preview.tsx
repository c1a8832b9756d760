/** A brand's look before it is saved: a piece of the site in the theme and the colours that stand in the form. */
import type { CSSProperties, ReactElement } from 'react';
import * as v from 'valibot';
import { DomainSetting } from '#contract/domain-setting.ts';
import siteTokens from '#ui/styles/tokens.css?raw';

type Look = Pick<v.InferOutput<typeof DomainSetting>, 'theme' | 'themeTokens' | 'domainTitle'>;

/** The fields that it shows. */
export const isOfLook = (field: string): field is keyof Look =>
	field === 'theme' || field === 'themeTokens' || field === 'domainTitle';

/** The site's own tokens of a theme. */
function tokensOf(theme: Look['theme']): Record<string, string> {
	const block = siteTokens.split(`.${theme} {`)[1]?.split('}')[0] ?? '';
	return Object.fromEntries(
		[...block.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g)].map(([, name, value]) => [name ?? '', value ?? '']),
	);
}

/** The value as the server reads it: JSON, or else text. */
function valueOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** The brand's look with one field as it stands in the form; null while that is no value of the field. */
function draftOf(setting: Record<string, unknown>, field: keyof Look, text: string): Look | null {
	const checked = v.safeParse(DomainSetting.entries[field], valueOf(text));
	if (text.trim() === '' || !checked.success) return null;
	return { ...(setting as unknown as Look), [field]: checked.output };
}

interface LookPreviewProps {
	setting: Record<string, unknown>;
	field: keyof Look;
	/** As it stands in the form. */
	text: string;
}

export function LookPreview({ setting, field, text }: LookPreviewProps): ReactElement {
	const draft = draftOf(setting, field, text);
	const { theme, themeTokens, domainTitle } = draft ?? (setting as unknown as Look);
	const tokens = Object.entries({ ...tokensOf(theme), ...themeTokens });
	return (
		<section aria-label="Preview">
			<p className="text-muted">
				{draft ? 'As it would be:' : 'As it is now; a new value shows here before it is saved:'}
			</p>
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
