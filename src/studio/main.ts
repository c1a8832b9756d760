/**
 * The studio as a process: `STUDIO_ACCOUNTS` has its wallets as JSON, `STUDIO_PORT` its port, and `STUDIO_DIR` its data
 * folder.
 */
import type { ProviderAccount } from '#studio/provider-account.ts';
import { Studio } from '#studio/studio.ts';
import { studioServer } from '#studio/studio-server.ts';

const { STUDIO_ACCOUNTS = '[]', STUDIO_PORT = '3100', STUDIO_DIR } = process.env;
const studio = new Studio(JSON.parse(STUDIO_ACCOUNTS) as ProviderAccount[], STUDIO_DIR ?? null);
const server = studioServer(studio);
const address = await server.listen({ port: Number(STUDIO_PORT), host: '127.0.0.1' });
studio.start();
console.log(`studio: ${address}`);

async function stop(): Promise<void> {
	await server.close();
	await studio.stop();
}
process.once('disconnect', () => void stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
