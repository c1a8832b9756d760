/** The handlers of the log-in calls, by name. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import type { SESSION_CALLS, SessionCallName } from '#contract/operators/session.ts';

type Session = typeof SESSION_CALLS;

export type SessionHandlers = {
	[Name in SessionCallName]: (
		input: v.InferOutput<Session[Name]['input']>,
		request: FastifyRequest,
		reply: FastifyReply,
	) => Promise<v.InferInput<Session[Name]['response']>> | v.InferInput<Session[Name]['response']>;
};
