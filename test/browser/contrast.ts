/**
 * Texts that are too faint for what is behind them, by one walk over a page: a twentieth of what axe takes for the same
 * question. It knows plain colours one over the other; axe, which the thorough tests ask, also finds what covers what.
 */
import type { Page } from 'playwright-core';

/** WCAG 2.2, 1.4.3. */
const LEAST = 4.5;
const LEAST_OF_LARGE = 3;

/** The texts of a part in each theme, with their contrast. @param part a selector */
export async function faintTexts(page: Page, part: string): Promise<string[]> {
	return await page.evaluate(
		({ within, least, leastOfLarge }) => {
			type Colour = readonly [red: number, green: number, blue: number, alpha: number];
			const WHITE: Colour = [255, 255, 255, 1];
			const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
			if (!brush) throw new Error('The browser draws nothing.');
			const known = new Map<string, Colour>();
			/** However a style writes it. */
			const read = (written: string): Colour => {
				const read = known.get(written);
				if (read) return read;
				brush.clearRect(0, 0, 1, 1);
				brush.fillStyle = written;
				brush.fillRect(0, 0, 1, 1);
				const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
				const colour: Colour = [red, green, blue, alpha / 255];
				known.set(written, colour);
				return colour;
			};
			const over = ([red, green, blue, alpha]: Colour, under: Colour): Colour => {
				const mix = (one: number, other: number) => one * alpha + other * (1 - alpha);
				return [mix(red, under[0]), mix(green, under[1]), mix(blue, under[2]), 1];
			};
			const brightness = ([red, green, blue]: Colour): number => {
				const [r = 0, g = 0, b = 0] = [red, green, blue]
					.map((of255) => of255 / 255)
					.map((of1) => (of1 <= 0.04045 ? of1 / 12.92 : ((of1 + 0.055) / 1.055) ** 2.4));
				return 0.2126 * r + 0.7152 * g + 0.0722 * b;
			};
			const contrast = (one: Colour, other: Colour): number => {
				const [darker = 0, brighter = 0] = [brightness(one), brightness(other)].sort((a, b) => a - b);
				return (brighter + 0.05) / (darker + 0.05);
			};
			/** What is seen of the colour inside an element, and of the element without it; null on a picture. */
			const seen = (element: Element, ink: Colour): { ink: Colour; ground: Colour } | null => {
				const chain: CSSStyleDeclaration[] = [];
				for (let node: Element | null = element; node; node = node.parentElement) {
					const style = getComputedStyle(node);
					chain.push(style);
					if (style.backgroundImage !== 'none') return null;
					if (style.opacity === '1' && read(style.backgroundColor)[3] === 1) break;
				}
				const grounds: Colour[] = [];
				for (const style of chain.toReversed())
					grounds.push(over(read(style.backgroundColor), grounds.at(-1) ?? WHITE));
				let [drawn, ground] = [over(ink, grounds.at(-1) ?? WHITE), grounds.at(-1) ?? WHITE];
				for (const [at, style] of chain.entries()) {
					const opacity = Number(style.opacity);
					if (opacity === 1) continue;
					const behind = grounds.at(-2 - at) ?? WHITE;
					const through = ([red, green, blue]: Colour): Colour => over([red, green, blue, opacity], behind);
					[drawn, ground] = [through(drawn), through(ground)];
				}
				return { ink: drawn, ground };
			};
			const isExempt = (element: Element): boolean =>
				element.closest('svg, :disabled, [aria-disabled="true"], [inert]') !== null ||
				(element.closest('label')?.control?.matches(':disabled') ?? false) ||
				!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
				element.getBoundingClientRect().width <= 1;
			const written = (): Map<Element, string> => {
				const texts = new Map<Element, string>();
				for (const root of document.querySelectorAll(within)) {
					const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
					for (let node = walk.nextNode(); node; node = walk.nextNode()) {
						const text = node.textContent?.trim();
						if (text && node.parentElement) texts.set(node.parentElement, text);
					}
				}
				return texts;
			};
			const root = document.documentElement;
			const worn = { theme: root.className, scheme: root.style.colorScheme };
			const faint: string[] = [];
			for (const theme of ['dark', 'light']) {
				root.classList.remove('dark', 'light');
				root.classList.add(theme);
				// The console has no themes of its own, and follows the system.
				root.style.colorScheme = theme;
				for (const [element, text] of written()) {
					if (isExempt(element)) continue;
					const { color, fontSize, fontWeight } = getComputedStyle(element);
					const both = seen(element, read(color));
					if (!both) continue;
					const px = Number.parseFloat(fontSize);
					const isLarge = px >= 24 || (px >= 18.66 && Number(fontWeight) >= 700);
					const has = contrast(both.ink, both.ground);
					if (has < (isLarge ? leastOfLarge : least)) faint.push(`${theme}: ${text.slice(0, 40)} ${has.toFixed(2)}`);
				}
			}
			root.className = worn.theme;
			root.style.colorScheme = worn.scheme;
			return faint;
		},
		{ within: part, least: LEAST, leastOfLarge: LEAST_OF_LARGE },
	);
}
