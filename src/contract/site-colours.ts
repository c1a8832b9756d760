/**
 * The site's own colours in which words and grounds are shown, by theme, for the check of a brand's. The style sheet
 * src/ui/styles/tokens.css has the same ones; a test compares them.
 */
import type { Theme } from '#contract/theme-tokens.ts';

const OF_PRICES = { 'on-price': '#0b1218' };

export const SITE_COLOURS = {
	dark: {
		...OF_PRICES,
		brand: '#c6ef4e',
		'on-brand': '#14190a',
		'brand-text': 'var(--brand)',
		'surface-0': '#0a0d12',
		'surface-1': '#141a22',
		'surface-2': '#1e2631',
		'surface-3': '#2a3441',
		text: '#eef2f6',
		muted: '#a3b0bf',
		back: '#8cc8f7',
		'back-2': '#6fa9d6',
		'back-3': '#5b90ba',
		lay: '#f6adc2',
		'lay-2': '#d58fa5',
		'lay-3': '#b87a8f',
		'back-text': '#8cc8f7',
		'lay-text': '#f6adc2',
		profit: '#4fdb9b',
		loss: '#ff8189',
	},
	light: {
		...OF_PRICES,
		brand: '#c6ef4e',
		'on-brand': '#14190a',
		'brand-text': 'color-mix(in srgb, var(--brand) 38%, #0a1400)',
		'surface-0': '#e4e9ef',
		'surface-1': '#ffffff',
		'surface-2': '#f1f4f7',
		'surface-3': '#e2e8ee',
		text: '#10171f',
		muted: '#4d5966',
		back: '#a3d3fa',
		'back-2': '#c2e1fb',
		'back-3': '#d9ecfc',
		lay: '#f9bdce',
		'lay-2': '#fad2de',
		'lay-3': '#fce3ea',
		'back-text': '#14578c',
		'lay-text': '#98294d',
		profit: '#0b7048',
		loss: '#bf2433',
	},
} as const satisfies Record<Theme, Record<string, string>>;

export type ColourName = keyof (typeof SITE_COLOURS)[Theme];
