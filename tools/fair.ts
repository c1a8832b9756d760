/**
 * `npm run fair -- crash|draw|verify --file FILE`: computes rounds from their seeds, without the server. FILE has JSON
 * lines, `-` reads standard input. `npm run fair -- games` prints the games with their exact returns.
 *
 *   crash   {hash, salt, seeds, return} → the same with `cents`
 *   draw    {serverSeed, clientSeed, nonce, sides, count} → the same with `draws`
 *   verify  {game, choice?, actions?, serverSeed, clientSeed, nonce, commitment?, previousHash?} → the same with
 *           `outcome`, whether the server seed has that commitment, and whether it is the chain's hash after that one
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { gameOf } from '#games/all-games.ts';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { drawFrom } from '#games/fair-draw.ts';
import { resultOf } from '#games/round-result.ts';
import { commitmentOf, seededWords } from '#games/seeded-words.ts';
import { gameList } from './game-list.ts';

const Hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const seeds = { serverSeed: v.string(), clientSeed: v.string(), nonce: v.pipe(v.number(), v.integer(), v.minValue(0)) };

const CrashLine = v.object({
	hash: Hash,
	salt: v.string(),
	seeds: v.optional(v.array(v.string()), []),
	return: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
});
const DrawLine = v.object({
	...seeds,
	sides: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 32)),
	count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
});
const VerifyLine = v.object({
	...seeds,
	game: v.string(),
	choice: v.optional(v.string(), ''),
	actions: v.optional(v.array(v.string()), []),
	commitment: v.optional(Hash),
	previousHash: v.optional(Hash),
});

const MODES: Readonly<Record<string, (line: unknown) => object>> = {
	crash: (line) => {
		const { hash, salt, seeds, return: returnPercent } = v.parse(CrashLine, line);
		return { cents: crashCents({ hash, salt, bettorSeeds: seeds, returnPercent }) };
	},
	draw: (line) => {
		const { sides, count, ...of } = v.parse(DrawLine, line);
		const draw = drawFrom(seededWords(of));
		return { draws: Array.from({ length: count }, () => draw(sides)) };
	},
	verify: (line) => {
		const { game, choice, actions, commitment, previousHash: before, ...of } = v.parse(VerifyLine, line);
		const known = gameOf(game);
		if (!known || known.kind === 'crash') throw new Error(`no game with draws: ${game}`);
		const isCommitted = commitment === undefined ? {} : { isCommitted: commitmentOf(of.serverSeed) === commitment };
		const isLinked = before === undefined ? {} : { isLinked: previousHash(of.serverSeed) === before };
		return { ...resultOf(known, of, { choice, actions }), ...isCommitted, ...isLinked };
	},
};

const { values, positionals } = parseArgs({ options: { file: { type: 'string' } }, allowPositionals: true });
if (positionals[0] === 'games') {
	console.log(gameList().join('\n'));
	process.exit(0);
}
const mode = MODES[positionals[0] ?? ''];
if (!mode || !values.file) {
	console.error('npm run fair -- crash|draw|verify --file FILE, or npm run fair -- games');
	process.exit(2);
}
for (const text of readFileSync(values.file === '-' ? 0 : values.file, 'utf8').split('\n')) {
	if (text.trim() === '') continue;
	const line: unknown = JSON.parse(text);
	process.stdout.write(`${JSON.stringify({ ...(line as object), ...mode(line) })}\n`);
}
