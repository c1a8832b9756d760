/** All transports over plain HTTP; a new one is a file and a row here. The first that matches serves a request. */

import { longPolling } from '#server/doors/hub/transports/long-polling.ts';
import { serverSentEvents } from '#server/doors/hub/transports/server-sent-events.ts';
import type { HttpTransport } from '#server/doors/hub/transports/transport.ts';

export const HTTP_TRANSPORTS: readonly HttpTransport[] = [serverSentEvents, longPolling];
