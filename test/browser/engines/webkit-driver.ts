/**
 * WebKitGTK, the engine of Safari in the system's packages, by WebDriver: MiniBrowser on a screen that is not there. It
 * has no touch and no notch, so it stands for an iPhone's engine, not for the phone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Builder, Key, type WebDriver } from 'selenium-webdriver';
import { findWebKit, type WebKitPrograms } from '../../../tools/other-engines.ts';
import { type Engine, type EngineDriver, type Scheme, SIZES, type Size } from './engine-driver.ts';

const KEYS = { Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB } as const;

async function freePort(): Promise<number> {
	const server = createServer();
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	server.close();
	return typeof address === 'object' && address ? address.port : 0;
}

/** Resolves with the display's name as soon as it takes windows. */
async function startScreen(xvfb: string): Promise<{ screen: ChildProcess; display: string }> {
	const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
		stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
	});
	const [number] = await once(createInterface({ input: screen.stdio[3] as Readable }), 'line');
	return { screen, display: `:${number}` };
}

/** A home of its own: the toolbar may get as narrow as a phone, and nothing moves that need not. */
async function makeHome(): Promise<string> {
	const home = await mkdtemp(join(tmpdir(), 'backlay-webkit-'));
	const settings = join(home, '.config', 'gtk-3.0');
	await mkdir(settings, { recursive: true });
	await writeFile(join(settings, 'gtk.css'), '* { min-width: 0; padding: 0; margin: 0; }\n');
	await writeFile(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
	return home;
}

async function session(port: number, { browser }: WebKitPrograms, scheme: Scheme): Promise<WebDriver> {
	const args = ['--automation', ...(scheme === 'dark' ? ['--dark-mode'] : [])];
	const wanted = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: browser, args } };
	for (let attempt = 0; ; attempt += 1) {
		try {
			return await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(wanted).build();
		} catch (failure) {
			// The driver says nothing when it is ready.
			if (attempt === 50 || !String(failure).includes('ECONNREFUSED')) throw failure;
			await pause(100);
		}
	}
}

/** The window is larger than the page by its toolbar. */
async function resize(driver: WebDriver, { width, height }: Size): Promise<void> {
	const window = driver.manage().window();
	await window.setRect({ x: 0, y: 0, width, height });
	const inside = await driver.executeScript<number>('return innerHeight');
	await window.setRect({ x: 0, y: 0, width, height: 2 * height - inside });
}

async function startWebKit(programs: WebKitPrograms, scheme: Scheme): Promise<EngineDriver> {
	const home = await makeHome();
	const { screen, display } = await startScreen(programs.xvfb);
	const port = await freePort();
	const server = spawn(programs.driver, [`--port=${port}`], {
		stdio: 'ignore',
		env: { ...process.env, DISPLAY: display, HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
	});
	const driver = await session(port, programs, scheme);
	await resize(driver, SIZES.desktop);
	return {
		open: (address) => driver.get(address),
		read: (look, ...args) => driver.executeScript(look as never, ...args),
		click: (x, y) =>
			driver
				.actions()
				.move({ x: Math.round(x), y: Math.round(y), duration: 0 })
				.click()
				.perform(),
		drag: (from, to) =>
			driver
				.actions()
				.move({ x: Math.round(from.x), y: Math.round(from.y), duration: 0 })
				.press()
				.move({ x: Math.round(to.x), y: Math.round(to.y), duration: 0 })
				.release()
				.perform(),
		type: (text) => driver.actions().sendKeys(text).perform(),
		pressKey: (key) => driver.actions().sendKeys(KEYS[key]).perform(),
		resize: (size) => resize(driver, size),
		screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
		close: async () => {
			await driver.quit();
			for (const child of [server, screen]) {
				const ended = once(child, 'exit');
				child.kill();
				await ended;
			}
			await rm(home, { recursive: true, force: true });
		},
	};
}

const programs = findWebKit();

export const WEBKIT: Engine = {
	name: 'WebKit',
	isInstalled: programs !== null,
	start: async (scheme) => {
		if (!programs) throw new Error('WebKit is not installed.');
		return await startWebKit(programs, scheme);
	},
};
