/** Of a brand's picture in two versions, the one for a theme. @param light empty where `picture` reads well on both */
export const themedPicture = (theme: 'dark' | 'light', picture: string, light: string): string =>
	theme === 'light' && light !== '' ? light : picture;
