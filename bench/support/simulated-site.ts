/** The built site on the real server with all simulated sports, and a browser with that page. */
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../../tools/chromium.ts';
import { withDataDir } from './scratch.ts';
import { startServerChild } from './server-child.ts';

export interface SimulatedSite {
	port: number;
	/** Its URL, without a path. */
	url: string;
	browser: Browser;
}

export const DESKTOP = { viewport: { width: 1440, height: 900 } } as const;
export const PHONE = {
	viewport: { width: 390, height: 844 },
	deviceScaleFactor: 2,
	isMobile: true,
	hasTouch: true,
} as const;

/** Runs the work, and closes browser and server in any case. */
export async function withSimulatedSite(work: (site: SimulatedSite) => Promise<void>): Promise<void> {
	await withDataDir(async (dataDir) => {
		const server = await startServerChild(dataDir, { feeds: true, yields: true });
		const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });
		try {
			await work({ port: server.port, url: `http://localhost:${server.port}`, browser });
		} finally {
			await browser.close();
			await server.stop();
		}
	});
}
