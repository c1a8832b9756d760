/** Dark or light, kept in the browser. */
const KEY = 'console-theme';

type Theme = 'dark' | 'light';

export const keptTheme = (): Theme => (localStorage.getItem(KEY) === 'light' ? 'light' : 'dark');

export function wear(theme: Theme): void {
	document.documentElement.classList.remove('dark', 'light');
	document.documentElement.classList.add(theme);
	localStorage.setItem(KEY, theme);
}

export const turnTheme = (): void => wear(keptTheme() === 'dark' ? 'light' : 'dark');
