/** An exchange that a feed cannot reach for a while: everything it submits is refused, as while a real one is rebuilt. */
import type { Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';

export class Outage {
	/** Submissions refused so far. */
	refused = 0;
	#isOn = false;

	/** The same exchange as this outage lets it be reached. */
	around(exchange: Exchange): Exchange {
		const submit: Exchange['submit'] = async (...asked) => {
			if (!this.#isOn) return await exchange.submit(...asked);
			this.refused += 1;
			throw new Refused('STARTING');
		};
		return new Proxy(exchange, {
			get: (target, name: keyof Exchange) => {
				const member = target[name];
				if (name === 'submit' || typeof member !== 'function') return name === 'submit' ? submit : member;
				return member.bind(target);
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
