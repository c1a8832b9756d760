/** Gives signs of life for the thread that started this one. */
import { workerData } from 'node:worker_threads';
import { LifeSigns, SIGN_WITHIN_MS } from '#server/exchange/standby/life-signs.ts';
import type { LifeSignsOptions } from '#server/exchange/standby/life-signs-thread.ts';
import { Pulse } from '#server/exchange/standby/pulse.ts';
import { connect } from '#server/platform/postgres/connect.ts';

const { databaseUrl, name, memory } = workerData as LifeSignsOptions;
const db = connect(databaseUrl, {
	max: 1,
	application_name: name,
	idleTimeoutMillis: 0,
	connectionTimeoutMillis: SIGN_WITHIN_MS,
});
new LifeSigns({ db, pulse: new Pulse(memory) }).start();
