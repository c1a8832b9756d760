/**
 * Loaded into the server with `--import` before anything else: `Date` is off by the milliseconds that stand in the file
 * CLOCK_OFFSET_FILE, read at the start and again at SIGUSR2. The monotonic clock, and with it every timer, is untouched,
 * and so are the clock of PostgreSQL and the Date header of answers. What was read is written to the same name with `.applied`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env['CLOCK_OFFSET_FILE'] ?? '';
const RealDate = Date;
let offsetMs = 0;

function read(): void {
	const text = readFileSync(file, 'utf8');
	offsetMs = Number(text);
	writeFileSync(`${file}.applied`, text);
}

const shiftedNow = (): number => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
	construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [shiftedNow()], newTarget),
	apply: () => new RealDate(shiftedNow()).toString(),
	get: (target, name, receiver) => (name === 'now' ? shiftedNow : Reflect.get(target, name, receiver)),
});

read();
process.on('SIGUSR2', read);
