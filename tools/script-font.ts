/** Finds a typeface with a language's letters for the browser tests, and installs one if this machine allows it. */
import { spawnSync } from 'node:child_process';
import type { Language } from '#values/languages.ts';
import { installPackages } from './debian-package.ts';

const PACKAGES: Readonly<Record<Exclude<Language, 'en'>, string>> = {
	hi: 'fonts-lohit-deva',
	bn: 'fonts-lohit-beng-bengali',
};

const isThere = (language: Language): boolean =>
	spawnSync('fc-list', [`:lang=${language}`], { encoding: 'utf8' }).stdout?.trim() !== '';

/** Without one a browser draws the script with zero width, and no text is ever truncated. */
export const ensureFont = (language: keyof typeof PACKAGES): boolean =>
	isThere(language) || (installPackages([PACKAGES[language]]) && isThere(language));
