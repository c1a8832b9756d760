/** Reads array parameters in PostgreSQL's binary format, as the database does. */

const READERS: Readonly<Record<number, (bytes: Buffer, at: number, length: number) => unknown>> = {
	16: (bytes, at) => bytes[at] === 1,
	20: (bytes, at) => Number(bytes.readBigInt64BE(at)),
	23: (bytes, at) => bytes.readInt32BE(at),
	25: (bytes, at, length) => bytes.toString('utf8', at, at + length),
};

export function readArray(bytes: Buffer): unknown[] {
	const values: unknown[] = [];
	const read = READERS[bytes.readInt32BE(8)];
	if (!read) throw new Error(`the double reads no arrays of the type ${bytes.readInt32BE(8)}`);
	const count = bytes.readInt32BE(0) === 0 ? 0 : bytes.readInt32BE(12);
	for (let at = 20; values.length < count; ) {
		const length = bytes.readInt32BE(at);
		at += 4;
		values.push(length < 0 ? null : read(bytes, at, length));
		if (length > 0) at += length;
	}
	return values;
}
