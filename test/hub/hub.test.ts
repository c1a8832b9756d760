/** One process serves the hub to the official client over every transport and protocol. */
import { beforeAll, describe } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { hubServes } from './hub-behaviour.ts';
import { EVERY_WAY, nameOfWay, tagsOf } from './hub-client.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

for (const way of EVERY_WAY) {
	describe(`over ${nameOfWay(way)}`, { tags: tagsOf(way) }, () => {
		hubServes(way, () => ({ server, hubUrl: server.url }));
	});
}
