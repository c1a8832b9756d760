import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { RollingFigure } from '#ui/rolling-figure.tsx';
import type { Minor } from '#values/money.ts';
import { formatMoney } from '#web/format.ts';
import { openDialog } from '#web/store/dialogs.ts';
import { setShowBalance, setShowExposure, usePreferences } from '#web/store/preferences.ts';
import { shownBalance, useWallet } from '#web/store/wallet.ts';
import { TEXTS } from '#web/texts.ts';

function Figure({
	name,
	amount,
	shown,
	onToggle,
	onOpen,
	tone,
}: {
	name: string;
	amount: Minor;
	shown: boolean;
	onToggle: (on: boolean) => void;
	/** Explains the amount. */
	onOpen?: () => void;
	tone: string;
}): ReactElement {
	const figure = (
		<>
			<span className="block text-xs text-muted">{name}</span>
			<span className={`block text-sm font-semibold ${tone}`} data-figure={name}>
				<RollingFigure text={shown ? formatMoney(amount) : TEXTS.frame.hidden} />
			</span>
		</>
	);
	return (
		<div className="flex items-center">
			{onOpen ? (
				<button
					type="button"
					aria-haspopup="dialog"
					title={TEXTS.frame.whyHeld}
					className="min-h-11 min-w-11 text-right leading-tight"
					onClick={onOpen}
				>
					{figure}
				</button>
			) : (
				<p className="text-right leading-tight">{figure}</p>
			)}
			<button
				type="button"
				className="icon-button max-md:hidden"
				aria-label={shown ? TEXTS.frame.hide(name) : TEXTS.frame.show(name)}
				onClick={() => onToggle(!shown)}
			>
				<Icon solid>{shown ? 'eye' : 'eye-slash'}</Icon>
			</button>
		</div>
	);
}

/** Free balance and exposure, live; each can be hidden and stays so. */
export function WalletBox(): ReactElement {
	const balance = useWallet(shownBalance);
	const exposure = useWallet((wallet) => wallet.exposure);
	const { showBalance, showExposure } = usePreferences();
	return (
		<div className="flex items-center gap-3 md:gap-1">
			<Figure
				name={TEXTS.frame.balance}
				amount={balance}
				shown={showBalance}
				onToggle={setShowBalance}
				tone="text-text"
			/>
			<Figure
				name={TEXTS.frame.exposure}
				amount={exposure}
				shown={showExposure}
				onToggle={setShowExposure}
				onOpen={() => openDialog('heldMoney')}
				tone={exposure > 0 ? 'text-suspended' : 'text-text'}
			/>
		</div>
	);
}
