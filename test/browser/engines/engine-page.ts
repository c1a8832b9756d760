/** A page in any engine: what a player sees, presses and types. Every wait ends when the page shows what is waited for. */
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineDriver } from './engine-driver.ts';

/** An element by its selector and its words: its label, or all of its text. */
export interface Target {
	css: string;
	/** In full, or a part of it as a pattern. */
	words?: string | RegExp | undefined;
}

/** A button that takes a press. */
export const button = (words: string | RegExp): Target => ({ css: 'button:enabled', words });
/** A button of the dialog that is open. */
export const inDialog = (words: string | RegExp): Target => ({ css: 'dialog[open] button', words });

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 40;
/** Parts of a page that load beside it may move what is pressed. */
const ALIKE = 2;

/** A target as it is sent into a page. */
interface SentTarget {
	css: string;
	exactly: string | null;
	pattern: string | null;
}

const sent = ({ css, words }: Target): SentTarget => ({
	css,
	exactly: typeof words === 'string' ? words : null,
	pattern: words instanceof RegExp ? words.source : null,
});

/** Where the target can be pressed; null while it is not there, is disabled, moves, or lies under something else. */
interface Found {
	count: number;
	spot: { x: number; y: number } | null;
	text: string;
}

/** Runs in the page, so it uses nothing of this file. */
function find({ css, exactly, pattern }: SentTarget, bringIntoView: boolean): Found {
	const wordsOf = (element: Element): string[] => {
		const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
		return [element.ariaLabel ?? '', element.textContent ?? '', ...labels.map((label) => label.textContent ?? '')].map(
			(text) => text.trim().replaceAll(/\s+/g, ' '),
		);
	};
	const fits = (text: string): boolean =>
		exactly === null ? pattern === null || new RegExp(pattern).test(text) : text === exactly;
	const all = [...document.querySelectorAll<HTMLElement>(css)].filter(
		(element) => element.checkVisibility({ visibilityProperty: true }) && wordsOf(element).some(fits),
	);
	const [first] = all;
	if (!first) return { count: 0, spot: null, text: '' };
	if (bringIntoView) first.scrollIntoView({ block: 'center', behavior: 'instant' });
	const { x, y, width, height } = first.getBoundingClientRect();
	const spot = { x: x + width / 2, y: y + height / 2 };
	const top = document.elementFromPoint(spot.x, spot.y);
	const isFree = top !== null && (first.contains(top) || top.contains(first)) && !first.matches(':disabled');
	return { count: all.length, spot: isFree ? spot : null, text: first.textContent ?? '' };
}

export class EnginePage {
	readonly driver: EngineDriver;

	constructor(driver: EngineDriver) {
		this.driver = driver;
	}

	/** Resolves with what the page answers as soon as that is something. */
	async waitFor<Answer>(what: string, look: () => Promise<Answer | null | false>): Promise<Answer> {
		const end = Date.now() + PATIENCE_MS;
		for (;;) {
			const answer = await look();
			if (answer !== null && answer !== false) return answer;
			if (Date.now() > end) {
				const shown = await this.driver.read(() => `${location.href}\n${document.body.innerText}`);
				throw new Error(`Not within ${PATIENCE_MS / 1000} s: ${what}, on ${shown}`);
			}
			await pause(LOOK_EVERY_MS);
		}
	}

	/** Its text, once it is shown. */
	async see(target: Target): Promise<string> {
		const found = await this.waitFor(`${target.css} ${target.words ?? ''} is shown`, async () => {
			const now = await this.driver.read(find, sent(target), false);
			return now.count > 0 && now;
		});
		return found.text;
	}

	async count(target: Target): Promise<number> {
		return (await this.driver.read(find, sent(target), false)).count;
	}

	async seeNoMore(target: Target): Promise<void> {
		await this.waitFor(`${target.css} ${target.words ?? ''} is gone`, async () => (await this.count(target)) === 0);
	}

	/** Presses it where a finger would, once it stands still for some looks, takes a press and lies under nothing. */
	async click(target: Target): Promise<void> {
		let last = '';
		let alike = 0;
		const { x, y } = await this.waitFor(`${target.css} ${target.words ?? ''} takes a press`, async () => {
			const { spot } = await this.driver.read(find, sent(target), true);
			const before = last;
			last = JSON.stringify(spot);
			alike = last === before ? alike + 1 : 0;
			return alike >= ALIKE && spot;
		});
		await this.driver.click(x, y);
	}

	/** Types into a field in place of what it holds. */
	async fill(target: Target, text: string): Promise<void> {
		await this.click(target);
		await this.driver.read(() => (document.activeElement as HTMLInputElement).select());
		await this.driver.type(text);
	}
}
