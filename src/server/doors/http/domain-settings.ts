/** `GET /domain-settings/{host}.json`: from memory, with an ETag, because every open page asks every second. */
import type { FastifyInstance } from 'fastify';
import type { Brands } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Whether a client has this answer already. A proxy that compresses marks the tag as weak. */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag;
	return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

export function domainSettings(server: FastifyInstance, brands: Pick<Brands, 'byName'>): void {
	server.get<{ Params: { file: string } }>('/domain-settings/:file', (request, reply) => {
		const name = /^(.+)\.json$/.exec(request.params.file.toLowerCase())?.[1];
		const brand = brands.byName(name ?? '');
		if (!brand) throw new Refused('UNKNOWN_DOMAIN');
		reply.header('ETag', brand.etag).header('Cache-Control', 'no-cache');
		if (holds(request.headers['if-none-match'], brand.etag)) return reply.code(304).send();
		return reply.type('application/json; charset=utf-8').send(brand.json);
	});
}
