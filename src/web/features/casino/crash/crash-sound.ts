/** Two short tones, made on the spot; silent until the player asks for sound. Nothing is played for a loss. */
import { create } from 'zustand';

export const useCrashSound = create<{ isOn: boolean }>(() => ({ isOn: false }));

let audio: AudioContext | null = null;

/** Called from a press, which browsers ask for before a page may sound. */
export function toggleSound(): void {
	const isOn = !useCrashSound.getState().isOn;
	audio ??= new AudioContext();
	void audio.resume();
	useCrashSound.setState({ isOn });
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
	if (useCrashSound.getState().isOn) tone(330, 0, 0.12);
}

/** A bet was cashed out above its stake. */
export function playWin(): void {
	if (!useCrashSound.getState().isOn) return;
	tone(523, 0, 0.14);
	tone(784, 0.09, 0.22);
}
