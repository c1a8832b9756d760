/** Two short tones, made on the spot; silent until the player asks for sound. Nothing is played for a loss. */
import { create } from 'zustand';

export const useCasinoSound = create<{ isOn: boolean }>(() => ({ isOn: false }));

let audio: AudioContext | null = null;

/** Called from a press, which browsers ask for before a page may sound. */
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

/** More was paid than staked. */
export function playWin(): void {
	if (!useCasinoSound.getState().isOn) return;
	tone(523, 0, 0.14);
	tone(784, 0.09, 0.22);
}
