/** Two short synthesized tones; silent until the player turns sound on. A loss plays nothing. */
import { create } from 'zustand';

export const useCasinoSound = create<{ isOn: boolean }>(() => ({ isOn: false }));

let audio: AudioContext | null = null;

/** Called from a press, which browsers require before a page may play sound. */
export function toggleSound(): void {
	const isOn = !useCasinoSound.getState().isOn;
	audio ??= new AudioContext();
	void audio.resume();
	useCasinoSound.setState({ isOn });
}

function tone(hertz: number, atSeconds: number, seconds: number): void {
	if (!audio) return;
	const from = audio.currentTime + atSeconds;
	const oscillator = audio.createOscillator();
	const gain = audio.createGain();
	oscillator.frequency.value = hertz;
	gain.gain.setValueAtTime(0.12, from);
	gain.gain.exponentialRampToValueAtTime(0.001, from + seconds);
	oscillator.connect(gain).connect(audio.destination);
	oscillator.start(from);
	oscillator.stop(from + seconds);
}

export function playStart(): void {
	if (useCasinoSound.getState().isOn) tone(330, 0, 0.12);
}

/** A card is dealt, or the ball falls. */
export function playDeal(): void {
	if (useCasinoSound.getState().isOn) tone(196, 0, 0.06);
}

/** The payout exceeded the stake. */
export function playWin(): void {
	if (!useCasinoSound.getState().isOn) return;
	tone(523, 0, 0.14);
	tone(784, 0.09, 0.22);
}
