/**
 * The payment studio as a process: `PAYMENT_STUDIO_PORT` is its port, `PAYMENT_STUDIO_KEY` the merchant's API key,
 * `PAYMENT_STUDIO_WEBHOOK_KEY` signs its webhooks, which go to `PAYMENT_STUDIO_WEBHOOK_URL`.
 */
import { PaymentStudio } from '#studio/payments/payment-studio.ts';

const ACTS_AFTER_MS = 4_000;

const {
	PAYMENT_STUDIO_PORT = '3101',
	PAYMENT_STUDIO_KEY = '',
	PAYMENT_STUDIO_WEBHOOK_KEY = '',
	PAYMENT_STUDIO_WEBHOOK_URL = '',
	NODE_ENV,
} = process.env;
if (NODE_ENV === 'production') {
	console.error('The payment studio pays nothing: it is not for production.');
	process.exit(1);
}
const studio = new PaymentStudio({
	apiKey: PAYMENT_STUDIO_KEY,
	target: { url: PAYMENT_STUDIO_WEBHOOK_URL, key: PAYMENT_STUDIO_WEBHOOK_KEY },
	actsAfterMs: ACTS_AFTER_MS,
});
console.log(`payment studio: ${await studio.listen(Number(PAYMENT_STUDIO_PORT))}`);
process.once('disconnect', () => void studio.stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void studio.stop());
