// Shows the previews of an item. The browser loads them from the addresses that the seller has entered.
import { Hint, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Center, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';

const text = words.items;

/**
 * Whether the address starts with http:// or https://. The content security policy blocks other addresses.
 */
const isWebAddress = (address: string | undefined): address is string =>
  address !== undefined && /^https?:\/\//i.test(address);

/** Shows a text if the picture cannot be loaded. */
function Picture({ address, label }: { address: string; label: string }) {
  const [isMissing, setIsMissing] = useState(false);
  if (isMissing)
    return (
      <Center className="cf-media" mih={72} p="xs">
        <Hint ta="center">{text.notShown(label)}</Hint>
      </Center>
    );
  return (
    <img
      className="cf-media"
      src={address}
      alt={label}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setIsMissing(true)}
    />
  );
}

export function ItemMedia({ item }: { item: Item }) {
  const { thumbnail, preview_image, preview_video, preview_audio } = item.media;
  const screenshots = (item.media.screenshots ?? []).filter(isWebAddress);
  const picture = (address: string, label: string) => (
    <Picture key={address} address={address} label={label} />
  );
  const shown = [thumbnail, preview_image, preview_video, preview_audio].filter(isWebAddress);
  return (
    <Surface title={text.preview}>
      {shown.length + screenshots.length === 0 ? (
        <Hint size="sm">{text.noMedia}</Hint>
      ) : (
        <Stack>
          {isWebAddress(preview_image) &&
            !isWebAddress(preview_video) &&
            picture(preview_image, text.previewOf(item.name))}
          {isWebAddress(preview_video) && (
            // biome-ignore lint/a11y/useMediaCaption: the seller's own preview; it has no captions
            <video
              className="cf-media"
              src={preview_video}
              poster={isWebAddress(preview_image) ? preview_image : undefined}
              controls
              preload="none"
              aria-label={text.previewOf(item.name)}
            />
          )}
          {isWebAddress(preview_audio) && (
            // biome-ignore lint/a11y/useMediaCaption: the seller's own preview; it has no captions
            <audio
              className="cf-player"
              src={preview_audio}
              controls
              preload="none"
              aria-label={text.previewOf(item.name)}
            />
          )}
          <SimpleGrid cols={4} spacing="sm" className="cf-media-row">
            {isWebAddress(thumbnail) && picture(thumbnail, text.thumbnail)}
            {screenshots.map((address, index) => picture(address, text.screenshot(index + 1)))}
          </SimpleGrid>
        </Stack>
      )}
    </Surface>
  );
}
