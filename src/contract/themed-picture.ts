/** The version of a brand's picture for a theme. @param light empty if `picture` works on both */
export const themedPicture = (theme: 'dark' | 'light', picture: string, light: string): string =>
	theme === 'light' && light !== '' ? light : picture;
