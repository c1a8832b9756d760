import StreamPlayer from 'hls.js';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { MARKET_WORDS } from '#web/texts/more.ts';

/**
 * A live stream: played by the browser itself if it can, by hls.js otherwise. Muted, so that it may start
 * automatically.
 */
export function VideoPlayer({ url, title }: { url: string; title: string }): ReactElement {
	const video = useRef<HTMLVideoElement>(null);
	const [failed, setFailed] = useState(false);
	useEffect(() => {
		const element = video.current;
		if (!element) return;
		setFailed(false);
		if (!StreamPlayer.isSupported()) {
			element.src = url;
			return () => element.removeAttribute('src');
		}
		const player = new StreamPlayer({ liveSyncDurationCount: 2 });
		player.on(StreamPlayer.Events.ERROR, (_, { fatal }) => fatal && setFailed(true));
		player.loadSource(url);
		player.attachMedia(element);
		return () => player.destroy();
	}, [url]);
	return (
		<div className="video-box">
			{/* biome-ignore lint/a11y/useMediaCaption: a live stream of a match comes without captions */}
			<video
				ref={video}
				controls
				muted
				autoPlay
				playsInline
				aria-label={MARKET_WORDS.videoLabel(title)}
				onError={() => setFailed(true)}
			/>
			{failed && (
				<p role="alert" className="video-failed">
					{MARKET_WORDS.videoFailed}
				</p>
			)}
		</div>
	);
}
