/** The operators' key, derived from the server's secret so that there is only one to keep. */
import { createHmac } from 'node:crypto';

export const operatorKeyOf = (tokenKey: string): string =>
	createHmac('sha256', tokenKey).update('operator').digest('base64url');
