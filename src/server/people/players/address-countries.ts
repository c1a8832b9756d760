/**
 * The country of an address, from a database file in MaxMind's format (mmdb) that lies beside the server: no service outside
 * is asked. The file may be replaced while the server runs. Without a file that can be read no country is known.
 */
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Reader, type Response } from 'maxmind';
import type { Logger } from 'pino';

/** How long the file is taken for unchanged. */
const LOOK_EVERY_MS = 10_000;
/** No call waits longer for a disk that hangs; what was read before counts meanwhile. */
const MOST_WAIT_MS = 1_000;

/** Where the file says that an address hides who uses it, as country and anonymity databases write it. */
const HIDES = [
	'is_anonymous',
	'is_anonymous_proxy',
	'is_anonymous_vpn',
	'is_public_proxy',
	'is_residential_proxy',
	'is_tor_exit_node',
] as const;

type Flags = { readonly [Name in (typeof HIDES)[number]]?: unknown };
interface Entry extends Flags {
	readonly country?: { readonly iso_code?: unknown };
	readonly traits?: Flags;
}

interface AddressCountry {
	/** Two letters; null for an address that the file does not know. */
	country: string | null;
	isProxy: boolean;
}

const hides = (flags: Flags): boolean => HIDES.some((name) => flags[name] === true);

interface AddressCountriesOptions {
	/** The path of the file; null for none. */
	file: string | null;
	log: Pick<Logger, 'warn' | 'info'>;
	/** Monotonic milliseconds. */
	clock?: () => number;
}

export class AddressCountries {
	readonly #file: string | null;
	readonly #log: AddressCountriesOptions['log'];
	readonly #clock: () => number;
	#reader: Reader<Response> | null = null;
	/** Of the file that was read, or could not be: time and size. */
	#mark = '';
	#checkedAtMs = Number.NEGATIVE_INFINITY;
	#looking: Promise<void> | null = null;

	constructor({ file, log, clock = () => performance.now() }: AddressCountriesOptions) {
		this.#file = file;
		this.#log = log;
		this.#clock = clock;
	}

	/** Resolves when the file is the present one; null if it was looked at within seconds. */
	fresh(): Promise<void> | null {
		if (this.#file === null) return null;
		const sinceMs = this.#clock() - this.#checkedAtMs;
		if (sinceMs >= LOOK_EVERY_MS) {
			this.#checkedAtMs = this.#clock();
			this.#looking ??= this.#look(this.#file).finally(() => {
				this.#looking = null;
			});
		} else if (sinceMs >= MOST_WAIT_MS) return null;
		return this.#looking && Promise.race([this.#looking, pause(MOST_WAIT_MS, undefined, { ref: false })]);
	}

	/** Null while there is no file that can be read. */
	of(address: string): AddressCountry | null {
		if (!this.#reader) return null;
		try {
			const entry = this.#reader.get(address) as Entry | null;
			const code = entry?.country?.iso_code;
			return {
				country: typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null,
				isProxy: entry !== null && (hides(entry) || hides(entry.traits ?? {})),
			};
		} catch {
			// The file is damaged where the address stands, or this is no address.
			return null;
		}
	}

	async #look(file: string): Promise<void> {
		const mark = await stat(file).then(
			({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
			() => 'missing',
		);
		if (mark === this.#mark) return;
		this.#mark = mark;
		try {
			const bytes = await readFile(file);
			this.#reader = new Reader(bytes);
			this.#log.info({ file, builtAt: this.#reader.metadata.buildEpoch }, 'the countries of addresses were read');
		} catch (error) {
			this.#reader = null;
			this.#log.warn({ err: error, file }, 'the file with the countries of addresses cannot be read');
		}
	}
}
