// Renders an uploaded image again, as it is served: upright, without metadata, and without foreign bytes.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { Sharp } from 'sharp';
import { fail } from '../../errors.ts';
import { refuseDamaged, refuseType } from './detect-format.ts';
import { inTurn, type Turn } from './render-queue.ts';

/** The longest side of a thumbnail. */
const thumbnailSide = 640;
/** The longest side of an image. Rendering an image with much longer sides takes minutes. */
const maxSide = 16_384;
/** The library accepts at most an hour. */
const maxSeconds = Math.min(3600, Math.round(deadlineMs(30_000) / 1000));
const quality = 90;

const loadSharp = async () => {
  // The library is loaded with the first upload, because it takes memory and time.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  // Formats that are not accepted cannot be read, even if the check of the format had a gap.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
  });
  return sharp;
};
let loading: ReturnType<typeof loadSharp> | undefined;

export type ImageSize = 'full' | 'thumbnail';

interface Image extends Turn {
  readonly path: string;
  readonly maxPixels: number;
  /** Which images to render: the image in its full size, a thumbnail, or both. */
  readonly wanted: readonly ImageSize[];
}

/** Renders the image in each wanted size. Small images are not enlarged. */
export const renderImage = (image: Image): Promise<Buffer[]> =>
  inTurn(image, async () => {
    loading ??= loadSharp();
    const sharp = await loading;
    const open = () => sharp(image.path, { limitInputPixels: false, failOn: 'error' });
    const { width, height, pages = 1 } = await open().metadata().catch(refuseRendering);
    if (width * height * pages > image.maxPixels || Math.max(width, height) > maxSide)
      throw fail('media_too_many_pixels', { data: { max_pixels: image.maxPixels, max_side: maxSide } });
    if (pages > 1) throw refuseType('image');
    const rendered: Buffer[] = [];
    for (const size of image.wanted) {
      const upright = open().autoOrient();
      const sized =
        size === 'full'
          ? upright
          : upright.resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true });
      rendered.push(await encode(sized).catch(refuseRendering));
    }
    return rendered;
  });

/** Encodes an image in its own format. Without further options, the library writes no metadata. */
const encode = (image: Sharp): Promise<Buffer> =>
  image
    .jpeg({ quality, force: false })
    .webp({ quality, force: false })
    .png({ force: false, adaptiveFiltering: true })
    .timeout({ seconds: maxSeconds })
    .toBuffer();

/** Throws the answer to an image that cannot be rendered. Damaged is only an image that cannot be read. */
export function refuseRendering(cause: unknown): never {
  const { message } = cause as Error;
  if (/^timeout:|out of memory/i.test(message)) throw fail('unavailable', { cause });
  throw refuseDamaged().with({ cause });
}
