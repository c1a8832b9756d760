/** An exchange that a feed cannot reach for a while: everything it submits is refused, as while a real one is rebuilt. */
import type { Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';

export class Outage {
	/** Submissions refused so far. */
	refused = 0;
	#isOn = false;

	/** The same exchange as this outage lets it be reached. */
	around(exchange: Exchange): Exchange {
		const reach = (): void => {
			if (!this.#isOn) return;
			this.refused += 1;
			throw new Refused('STARTING');
		};
		const reached: Pick<Exchange, 'submit' | 'submitTogether'> = {
			submit: async (...asked) => {
				reach();
				return await exchange.submit(...asked);
			},
			submitTogether: async (requests) => {
				reach();
				return await exchange.submitTogether(requests);
			},
		};
		return new Proxy(exchange, {
			get: (target, name: keyof Exchange) => {
				if (name === 'submit' || name === 'submitTogether') return reached[name];
				const member = target[name];
				return typeof member === 'function' ? member.bind(target) : member;
			},
		});
	}

	begin(): void {
		this.#isOn = true;
	}

	end(): void {
		this.#isOn = false;
	}
}
