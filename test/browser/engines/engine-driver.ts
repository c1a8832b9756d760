/**
 * The three engines behind one small interface. This folder holds how each is started and driven; a story is written
 * once, over `EnginePage`.
 */

/** The widths the design names. */
export const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Size = (typeof SIZES)[keyof typeof SIZES];
export const SCHEMES = ['dark', 'light'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** A point of what is shown, in CSS pixels. */
export interface Spot {
	x: number;
	y: number;
}

/** One page of one engine, as its own driver sees it. */
export interface EngineDriver {
	open(address: string): Promise<void>;
	/** Runs a function in the page; arguments and result are JSON. */
	read<Args extends unknown[], Result>(look: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>>;
	/** The mouse's button, at a point of what is shown. */
	click(x: number, y: number): Promise<void>;
	/** From where the mouse's button goes down to where it comes up. */
	drag(from: Spot, to: Spot): Promise<void>;
	/** Keys, one after the other, to what has the focus. */
	type(text: string): Promise<void>;
	pressKey(key: 'Enter' | 'Escape' | 'Tab'): Promise<void>;
	resize(size: Size): Promise<void>;
	/** Slows the processor by this factor, where the engine can. */
	slowDown?(times: number): Promise<void>;
	/** What is shown, as PNG. */
	screenshot(): Promise<Buffer>;
	close(): Promise<void>;
}

export interface Engine {
	name: 'Chromium' | 'Firefox' | 'WebKit';
	isInstalled: boolean;
	/** A browser of its own, with nothing stored. @param scheme the system's; the site must not follow it */
	start(scheme: Scheme): Promise<EngineDriver>;
}
