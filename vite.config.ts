import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('src/web/', import.meta.url));

export default defineConfig({
	root,
	publicDir: `${root}public`,
	plugins: [react(), tailwindcss()],
	build: {
		outDir: fileURLToPath(new URL('dist/web/', import.meta.url)),
		emptyOutDir: true,
		target: 'es2022',
		// The hashed names let the server answer these files as immutable.
		assetsDir: 'assets',
		sourcemap: false,
		chunkSizeWarningLimit: 600,
		rolldownOptions: {
			output: {
				codeSplitting: {
					groups: [
						// What every screen needs and what changes only with an upgrade stays cached across releases.
						{
							name: 'react',
							test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/,
							priority: 3,
						},
						{ name: 'tanstack', test: /node_modules[\\/]@tanstack[\\/]/, priority: 2 },
					],
				},
			},
		},
	},
});
