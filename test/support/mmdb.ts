/**
 * Writes small databases in MaxMind's format, version 2.0, for IPv4 networks: a tree of bits with records of 24 bits, and
 * maps of texts, flags and numbers. https://maxmind.github.io/MaxMind-DB/
 */

export type MmdbValue = string | boolean | number | readonly string[] | { readonly [name: string]: MmdbValue };

const MAP = 7;
const UTF8 = 2;
const UINT32 = 6;
const BOOLEAN = 14;
const ARRAY = 11;

/** Sizes below 29 are in the control byte; a longer one has a byte of its own. */
function control(type: number, size: number): Buffer {
	const bits = size < 29 ? size : 29;
	const more = size < 29 ? [] : [size - 29];
	return Buffer.from(type <= 7 ? [(type << 5) | bits, ...more] : [bits, type - 7, ...more]);
}

function encoded(value: MmdbValue): Buffer {
	if (typeof value === 'boolean') return control(BOOLEAN, value ? 1 : 0);
	if (typeof value === 'string') return Buffer.concat([control(UTF8, Buffer.byteLength(value)), Buffer.from(value)]);
	if (typeof value === 'number') {
		const bytes = Buffer.alloc(4);
		bytes.writeUInt32BE(value);
		return Buffer.concat([control(UINT32, 4), bytes]);
	}
	if (Array.isArray(value)) return Buffer.concat([control(ARRAY, value.length), ...value.map(encoded)]);
	const fields = Object.entries(value);
	return Buffer.concat([
		control(MAP, fields.length),
		...fields.flatMap(([name, field]) => [encoded(name), encoded(field as MmdbValue)]),
	]);
}

/** @param networks such as 203.0.113.0/24, none within another */
export function mmdbOf(networks: Readonly<Record<string, MmdbValue>>): Buffer {
	type Node = [left: Node | number | null, right: Node | number | null];
	const root: Node = [null, null];
	const values: Buffer[] = [];
	let length = 0;
	for (const [network, value] of Object.entries(networks)) {
		const [address = '', bits = '32'] = network.split('/');
		const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
		const path = Array.from({ length: Number(bits) }, (_, at) => Math.floor(number / 2 ** (31 - at)) % 2);
		let node = root;
		for (const bit of path.slice(0, -1)) {
			node[bit as 0 | 1] ??= [null, null];
			node = node[bit as 0 | 1] as Node;
		}
		node[path.at(-1) as 0 | 1] = length;
		const bytes = encoded(value);
		values.push(bytes);
		length += bytes.length;
	}
	const nodes: Node[] = [root];
	const numbers = new Map<Node, number>([[root, 0]]);
	for (const node of nodes)
		for (const side of node)
			if (Array.isArray(side)) {
				numbers.set(side, nodes.length);
				nodes.push(side);
			}
	const tree = Buffer.alloc(nodes.length * 6);
	for (const [at, node] of nodes.entries())
		for (const [side, record] of node.entries()) {
			const number = Array.isArray(record)
				? (numbers.get(record) ?? 0)
				: nodes.length + (record === null ? 0 : 16 + record);
			tree.writeUIntBE(number, at * 6 + side * 3, 3);
		}
	const metadata = encoded({
		binary_format_major_version: 2,
		binary_format_minor_version: 0,
		build_epoch: 1_790_000_000,
		database_type: 'Test-Country',
		description: { en: 'Networks of documentation (RFC 5737)' },
		ip_version: 4,
		languages: ['en'],
		node_count: nodes.length,
		record_size: 24,
	});
	return Buffer.concat([
		tree,
		Buffer.alloc(16),
		...values,
		Buffer.from('abcdef', 'hex'),
		Buffer.from('MaxMind.com'),
		metadata,
	]);
}
