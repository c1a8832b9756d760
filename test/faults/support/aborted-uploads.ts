/** Requests whose body never comes to its end: any stranger can send as many of them as he likes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultyServer } from './faulty-server.ts';
import { RawClient } from './raw-clients.ts';

const AT_ONCE = 50;
/** The head has to be read before the connection breaks; a server that was not quick enough logs nothing. */
const HEAD_READ_AFTER_MS = 20;

const HEAD =
	'POST /Account/Authenticate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';

/** Begins N uploads and breaks every one of them off. */
export async function abortUploads(server: FaultyServer, count: number): Promise<void> {
	for (let done = 0; done < count; done += AT_ONCE) {
		const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => RawClient.open(server.port)));
		for (const client of clients) client.send(HEAD);
		await delay(HEAD_READ_AFTER_MS);
		for (const client of clients) client.abort();
		await Promise.all(clients.map(({ closed }) => closed));
	}
}
