/** All protocols of the hub; a new one is a file and a row here. */
import { jsonProtocol } from '#server/hub/protocols/json.ts';
import { messagePackProtocol } from '#server/hub/protocols/message-pack.ts';
import type { HubProtocol } from '#server/hub/protocols/protocol.ts';

export const PROTOCOLS: readonly HubProtocol[] = [jsonProtocol, messagePackProtocol];
