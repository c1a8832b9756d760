/** Public clients of the protocol that the lab knows, all of them in Python, and the program that drives each. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface KnownClient {
	name: string;
	driver: string;
	/** It acts by itself on markets that move, so it reads no recorded answers. */
	needsMoves?: true;
}

const CLIENTS: readonly KnownClient[] = [
	{ name: 'betfairlightweight', driver: 'betfairlightweight_client.py' },
	{ name: 'flumine', driver: 'flumine_client.py', needsMoves: true },
];

const HERE = import.meta.dirname;
/** How long a driver may take with all its operations. */
const LONGEST_MS = 120_000;

/** A client that is here. */
export interface Client {
	/** With its version. */
	title: string;
	readsRecorded: boolean;
	/** Runs its operations. @returns by operation what kept the client from reading the answer; null where nothing did */
	run(environment: Record<string, string>): Promise<Map<string, string | null>>;
}

/** @param sources folder of Python sources, or of folders with them; null without one */
export function presentClients(sources: string | null): { clients: Client[]; absent: string[] } {
	const clients: Client[] = [];
	const absent: string[] = [];
	for (const known of CLIENTS) {
		const found = clientOf(known, sources);
		if (typeof found === 'string') absent.push(`${known.name}: ${found}`);
		else clients.push(found);
	}
	return { clients, absent };
}

/** The client, or why it is not here. */
function clientOf({ name, driver, needsMoves }: KnownClient, sources: string | null): Client | string {
	const path = sources === null ? '' : [sources, ...foldersIn(sources)].join(':');
	const environment = { ...process.env, PYTHONPATH: path };
	const program = `import sys; sys.path.append(${JSON.stringify(HERE)}); import stand_ins, ${name}; print(${name}.__version__)`;
	const asked = spawnSync('python3', ['-c', program], { env: environment, encoding: 'utf8' });
	if (asked.error) return 'there is no python3';
	if (asked.status !== 0) return asked.stderr.trim().split('\n').at(-1) ?? 'it cannot be imported';
	return {
		title: `${name} ${asked.stdout.trim()}`,
		readsRecorded: !needsMoves,
		run: (own) => driven('python3', [join(HERE, driver)], { ...environment, ...own }),
	};
}

const foldersIn = (folder: string): string[] =>
	readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
		entry.isDirectory() || entry.isSymbolicLink() ? [join(entry.parentPath, entry.name)] : [],
	);

async function driven(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Map<string, string | null>> {
	const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS });
	const outcomes = new Map<string, string | null>();
	let complaint = '';
	child.stderr.on('data', (data: Buffer) => (complaint = `${complaint}${data.toString()}`.slice(-2_000)));
	createInterface({ input: child.stdout }).on('line', (line) => {
		const { operation, error } = JSON.parse(line) as { operation: string; error: string | null };
		outcomes.set(operation, error);
	});
	const [code] = (await once(child, 'close')) as [number | null];
	if (code !== 0) outcomes.set('driver', complaint.trim().split('\n').at(-1) ?? `ended with ${code}`);
	return outcomes;
}
