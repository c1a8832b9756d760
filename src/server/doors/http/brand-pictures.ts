/**
 * `GET /pictures/{name}`: an uploaded picture of the host's brand. The name is made from the picture, so it is served for
 * a year from any cache. A picture that was replaced stays under its name for thirty days, for pages that still show it.
 */
import type { FastifyInstance } from 'fastify';
import { isPictureName } from '#contract/brand-picture.ts';
import { answerOf } from '#server/doors/http/envelope.ts';
import { send } from '#server/doors/http/plain-server.ts';
import { brandOf } from '#server/doors/http/request-brand.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import type { Brand } from '#server/world/brands/brands.ts';

/** @returns null for a name that the brand does not have */
export type FindPicture = (brand: Pick<Brand, 'host' | 'pool'>, name: string) => Promise<Uint8Array | null>;

const NEVER_CHANGES = 'public, max-age=31536000, immutable';
/** Pictures held in memory, at most 32 MB. */
const MOST_HELD = 64;

export function brandPictures(server: FastifyInstance, find: FindPicture): void {
	const held = new HeldPictures(find);
	server.get<{ Params: { name: string } }>('/pictures/:name', async (request, reply) => {
		const { name } = request.params;
		const bytes = isPictureName(name) ? await held.find(brandOf(request), name) : null;
		if (!bytes) return send(request, reply, answerOf('NOT_FOUND'));
		return reply.type('image/webp').header('Cache-Control', NEVER_CHANGES).send(bytes);
	});
}

/** The pictures that were asked for last. Requests for one at the same time share one read. */
class HeldPictures {
	readonly #find: FindPicture;
	readonly #held = recentlyUsed<string, Promise<Uint8Array | null>>(MOST_HELD);

	constructor(find: FindPicture) {
		this.#find = find;
	}

	async find(brand: Brand, name: string): Promise<Uint8Array | null> {
		const key = `${brand.host} ${name}`;
		const asked = this.#held.get(key) ?? this.#find(brand, name);
		this.#held.set(key, asked);
		try {
			const bytes = await asked;
			// It may be uploaded in the next moment.
			if (!bytes) this.#held.delete(key);
			return bytes;
		} catch (error) {
			this.#held.delete(key);
			throw error;
		}
	}
}
