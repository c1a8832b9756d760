/** Finds a typeface with Hindi's letters for the browser tests, and installs one if this machine allows it. */
import { spawnSync } from 'node:child_process';
import { installPackages } from './debian-package.ts';

const isThere = (): boolean => spawnSync('fc-list', [':lang=hi'], { encoding: 'utf8' }).stdout?.trim() !== '';

/** Without one a browser draws Hindi with zero width, and no text is ever truncated. */
export const ensureHindiFont = (): boolean => isThere() || (installPackages(['fonts-lohit-deva']) && isThere());
