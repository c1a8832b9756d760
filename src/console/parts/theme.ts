/** Dark or light, kept in the browser. */
const KEY = 'console-theme';

type Theme = 'dark' | 'light';

export const keptTheme = (): Theme => (localStorage.getItem(KEY) === 'light' ? 'light' : 'dark');

export function wear(theme: Theme): void {
	document.documentElement.dataset['theme'] = theme;
	localStorage.setItem(KEY, theme);
}
