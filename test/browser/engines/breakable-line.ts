/** The network between a browser and the server, which can be cut: what is open breaks, and nothing new gets through. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BreakableLine {
	/** The server's, seen through this line. */
	url: string;
	/** Nothing gets through until the work is done, or has failed. */
	cutDuring(work: () => Promise<void>): Promise<void>;
	close(): Promise<void>;
}

export async function openBreakableLine(server: string): Promise<BreakableLine> {
	const { port } = new URL(server);
	const open = new Set<Socket>();
	let isCut = false;
	const cut = (): void => {
		isCut = true;
		for (const socket of open) socket.resetAndDestroy();
	};
	const line = createServer((near) => {
		if (isCut) {
			near.resetAndDestroy();
			return;
		}
		const far = connect(Number(port), '127.0.0.1');
		for (const [socket, other] of [
			[near, far],
			[far, near],
		] as const) {
			open.add(socket);
			socket.pipe(other);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				open.delete(socket);
				other.destroy();
			});
		}
	});
	await once(line.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://localhost:${(line.address() as AddressInfo).port}`,
		cutDuring: async (work) => {
			cut();
			await work().finally(() => {
				isCut = false;
			});
		},
		close: async () => {
			cut();
			line.close();
			await once(line, 'close');
		},
	};
}
