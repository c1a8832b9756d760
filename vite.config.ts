import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = fileURLToPath(new URL('dist/', import.meta.url));
const root = fileURLToPath(new URL('src/web/', import.meta.url));

/** Compressed once here, so that the server only picks the file. The page itself is filled in per brand and stays plain. */
const compressed: Plugin = {
	name: 'compressed',
	closeBundle() {
		for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
			if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue;
			const path = join(entry.parentPath, entry.name);
			const content = readFileSync(path);
			writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
			writeFileSync(`${path}.br`, brotliCompressSync(content));
		}
	},
};

export default defineConfig({
	root,
	publicDir: `${root}public`,
	plugins: [react(), tailwindcss(), compressed],
	build: {
		outDir,
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
