/**
 * One table of a day as a Parquet file: whole numbers and amounts are INT64, instants are timestamps. The same rows make
 * the same bytes.
 */
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { digestOf, synced } from '../durable-file.ts';

/** `whole`: a 64-bit number; `time`: milliseconds since 1970. */
type ColumnType = 'whole' | 'time' | 'text' | 'bytes' | 'flag';

export interface Column {
	name: string;
	type: ColumnType;
	mayBeNull?: true;
}

/** A row by column: numbers for `whole` and `time`, buffers for `bytes`. */
export type Row = Record<string, number | string | boolean | Uint8Array | null>;

/** Rows of a part of a file that is encoded, and read, at once. */
export const ROWS_AT_ONCE = 50_000;
/** Part of the bytes of each file. */
const CREATED_BY = 'Backlay';

const SCHEMAS: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
	whole: { type: 'INT64' },
	time: {
		type: 'INT64',
		converted_type: 'TIMESTAMP_MILLIS',
		logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
	},
	text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
	bytes: { type: 'BYTE_ARRAY' },
	flag: { type: 'BOOLEAN' },
};

const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
	{ name: 'root', num_children: columns.length },
	...columns.map(({ name, type, mayBeNull }): SchemaElement => {
		return { ...SCHEMAS[type], name, repetition_type: mayBeNull ? 'OPTIONAL' : 'REQUIRED' };
	}),
];

const isNumber = (type: ColumnType): boolean => type === 'whole' || type === 'time';

function cellsOf({ name, type }: Column, rows: readonly Row[]): unknown[] {
	if (!isNumber(type)) return rows.map((row) => row[name]);
	return rows.map((row) => (row[name] === null ? null : BigInt(row[name] as number)));
}

/** What the manifest says of a file. */
export interface WrittenFile {
	rows: number;
	sha256: string;
}

/** Resolves when the file is on the disk. @throws Error such as ENOSPC; the file is then incomplete */
export async function writeTable(
	path: string,
	columns: readonly Column[],
	parts: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): Promise<WrittenFile> {
	const writer = new ParquetWriter({ writer: fileWriter(path), schema: schemaOf(columns), createdBy: CREATED_BY });
	let rows = 0;
	for await (const part of parts) {
		rows += part.length;
		await writer.write({
			columnData: columns.map((column) => ({
				name: column.name,
				data: cellsOf(column, part),
				// Digests are as good as random.
				...(column.type === 'bytes' ? { codec: 'UNCOMPRESSED' as const } : {}),
			})),
			rowGroupSize: ROWS_AT_ONCE,
		});
	}
	await writer.finish();
	await synced(path);
	return { rows, sha256: await digestOf(path) };
}

/** The rows of a file as they were written, a part at a time in memory. */
export async function* rowsIn(path: string, columns: readonly Column[]): AsyncGenerator<Row> {
	const file = await asyncBufferFromFile(path);
	const metadata = await parquetMetadataAsync(file);
	for (let rowStart = 0; rowStart < Number(metadata.num_rows); rowStart += ROWS_AT_ONCE) {
		const rowEnd = Math.min(rowStart + ROWS_AT_ONCE, Number(metadata.num_rows));
		const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, utf8: false });
		for (const row of rows) {
			for (const { name, type } of columns) {
				const value: unknown = row[name];
				if (type === 'time' && value instanceof Date) row[name] = value.getTime();
				else if (isNumber(type) && typeof value === 'bigint') row[name] = Number(value);
				else if (value === undefined) row[name] = null;
			}
			yield row as Row;
		}
	}
}
