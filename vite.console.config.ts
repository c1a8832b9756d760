import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { versionMark } from './tools/version-mark.ts';

const root = fileURLToPath(new URL('src/console/', import.meta.url));

/** The operators' console: an application of its own, whose files no player's browser is served. */
export default defineConfig({
	root,
	plugins: [react(), tailwindcss(), versionMark],
	build: {
		outDir: fileURLToPath(new URL('dist-console/', import.meta.url)),
		emptyOutDir: true,
		target: 'es2022',
		assetsDir: 'assets',
		modulePreload: { polyfill: false },
		reportCompressedSize: process.env['QUICK_BUILD'] !== 'on',
		// The policy of the page allows no inline files.
		assetsInlineLimit: 0,
	},
});
