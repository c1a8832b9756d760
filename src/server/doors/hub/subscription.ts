/**
 * One channel of one connection, which may have several topics. Messages that arrive before the image are queued, and
 * dropped if the image contains them.
 */

import { isOutdated } from '#server/doors/hub/supersede.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';

export class Subscription {
	/** Ends the subscription. */
	readonly leave: () => void;
	readonly #send: (message: BusMessage) => void;
	/** Null after the image was sent. */
	#early: BusMessage[] | null = [];
	#left = false;

	constructor(bus: Bus, topics: readonly string[], send: (message: BusMessage) => void) {
		this.#send = send;
		const receive = (message: BusMessage): void => {
			if (this.#early) this.#early.push(message);
			else send(message);
		};
		const ends = topics.map((topic) => bus.subscribe(topic, receive));
		this.leave = () => {
			for (const end of ends) end();
			this.#left = true;
		};
	}

	/** Sends the images, then the messages that arrived meanwhile. */
	begin(images: readonly BusMessage[]): void {
		if (this.#left) return;
		const early = this.#early ?? [];
		this.#early = null;
		for (const image of images) this.#send(image);
		for (const message of early) {
			if (!images.some((image) => isOutdated(message, image))) this.#send(message);
		}
	}
}
