/** Loaded before the server of a walk: its wall clock is off by CLOCK_SHIFT_MS, and by what messages of its parent say. */
let shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0);
const trueNow = Date.now;
const TrueDate = Date;

class ShiftedDate extends TrueDate {
	constructor(...given: []) {
		// Only a date of nothing is the present.
		if (given.length === 0) super(trueNow() + shiftMs);
		else super(...given);
	}
	static override now(): number {
		return trueNow() + shiftMs;
	}
}
globalThis.Date = ShiftedDate as DateConstructor;

process.on('message', (message: { shiftMs: number }) => {
	shiftMs = message.shiftMs;
});
// The channel to the parent is no reason to live on.
process.channel?.unref();
