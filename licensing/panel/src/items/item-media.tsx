// The previews of an item, from where their owner hosts them.
import { Surface } from '@counterfoil/ui/parts/surface.tsx';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';

const text = words.items;

/** Only what the page's policy lets in anyway: nothing else is even asked for. */
const isWebAddress = (address: string | undefined): address is string =>
  address !== undefined && /^https?:\/\//i.test(address);

export function ItemMedia({ item }: { item: Item }) {
  const { thumbnail, preview_image, preview_video, preview_audio } = item.media;
  const screenshots = (item.media.screenshots ?? []).filter(isWebAddress);
  const picture = (address: string, label: string) => (
    <img
      key={address}
      className="cf-media"
      src={address}
      alt={label}
      loading="lazy"
      referrerPolicy="no-referrer"
    />
  );
  const shown = [thumbnail, preview_image, preview_video, preview_audio].filter(isWebAddress);
  return (
    <Surface title={text.preview}>
      {shown.length + screenshots.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.noMedia}
        </Text>
      ) : (
        <Stack>
          <SimpleGrid cols={2}>
            {isWebAddress(thumbnail) && picture(thumbnail, text.thumbnail)}
            {isWebAddress(preview_image) && picture(preview_image, text.previewOf(item.name))}
          </SimpleGrid>
          {isWebAddress(preview_video) && (
            // biome-ignore lint/a11y/useMediaCaption: the seller's own preview; it has no captions
            <video
              className="cf-media"
              src={preview_video}
              controls
              preload="none"
              aria-label={text.previewOf(item.name)}
            />
          )}
          {isWebAddress(preview_audio) && (
            // biome-ignore lint/a11y/useMediaCaption: the seller's own preview; it has no captions
            <audio
              src={preview_audio}
              controls
              preload="none"
              aria-label={text.previewOf(item.name)}
            />
          )}
          {screenshots.length > 0 && (
            <SimpleGrid cols={3}>
              {screenshots.map((address, place) => picture(address, text.screenshot(place + 1)))}
            </SimpleGrid>
          )}
        </Stack>
      )}
    </Surface>
  );
}
