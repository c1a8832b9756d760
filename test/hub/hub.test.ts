/** One process serves the hub to the official client over every transport and protocol. */
import { afterAll, beforeAll, describe } from 'vitest';
import { TestServer } from '../support/server.ts';
import { hubServes } from './hub-behaviour.ts';
import { EVERY_WAY, nameOfWay } from './hub-client.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

describe.each(EVERY_WAY.map((way) => ({ name: nameOfWay(way), way })))('over $name', ({ way }) => {
	hubServes(way, () => ({ server, hubUrl: server.url }));
});
