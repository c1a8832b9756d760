import type { ReactElement } from 'react';
import { toggleSound, useCasinoSound } from '#web/features/casino/casino-sound.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const SPEAKER = 'M4 9.5h3.5L12 6v12l-4.500-3.500H4z';

/** Off until a player asks for sound. */
export function SoundSwitch(): ReactElement {
	const isOn = useCasinoSound((sound) => sound.isOn);
	return (
		<button
			type="button"
			className="icon-button sound-switch"
			aria-pressed={isOn}
			aria-label={CASINO_TEXTS.crash.sound}
			onClick={toggleSound}
		>
			<svg viewBox="0 0 24 24">
				<path
					d={isOn ? `${SPEAKER}M16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11` : `${SPEAKER}M16 9.5l5 5M21 9.5l-5 5`}
				/>
			</svg>
		</button>
	);
}
