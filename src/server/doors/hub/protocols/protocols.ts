/** All protocols of the hub; a new one is a file and a row here. */
import { jsonProtocol } from '#server/doors/hub/protocols/json.ts';
import { messagePackProtocol } from '#server/doors/hub/protocols/message-pack.ts';
import type { HubProtocol } from '#server/doors/hub/protocols/protocol.ts';

export const PROTOCOLS: readonly HubProtocol[] = [jsonProtocol, messagePackProtocol];
