// The licensing service's settings.
import { join, resolve } from 'node:path';
import {
  databaseUrl,
  type Environment,
  httpUrl,
  port,
  readConfig,
  text,
  urlOf,
  wholeNumber,
} from '@counterfoil/kit/process/config';
import {
  presentDatabase,
  presentServiceSettings,
  requireDatabaseUrl,
  requireInProduction,
  serviceSettings,
} from '@counterfoil/kit/process/service-settings';
import { checkMailSettings, mailSettings, presentMailSettings } from '@counterfoil/mail/mail-settings';
import { presentWebhookSettings, webhookSettings } from '@counterfoil/webhooks/endpoints/webhook-settings';

const mebibyte = 2 ** 20;

export const licensingSettings = {
  ...serviceSettings,
  ...webhookSettings,
  ...mailSettings,
  LICENSING_PORT: port(4100),
  LICENSING_DATABASE_URL: databaseUrl(),
  LICENSING_DATABASE_DIRECT_URL: databaseUrl(),
  LICENSING_REPLICA_URL: databaseUrl(),
  LICENSING_PUBLIC_URL: httpUrl(),
  DATA_DIR: text('./data'),
  FILES_DIR: text(''),
  UPLOAD_MAX_BYTES: wholeNumber({ fallback: 2 ** 31, min: 1, max: 2 ** 40 }),
  MEDIA_IMAGE_MAX_BYTES: wholeNumber({ fallback: 10 * mebibyte, min: 1, max: 2 ** 30 }),
  MEDIA_AUDIO_MAX_BYTES: wholeNumber({ fallback: 30 * mebibyte, min: 1, max: 2 ** 40 }),
  MEDIA_VIDEO_MAX_BYTES: wholeNumber({ fallback: 200 * mebibyte, min: 1, max: 2 ** 40 }),
  MEDIA_IMAGE_MAX_PIXELS: wholeNumber({ fallback: 25_000_000, min: 1, max: 250_000_000 }),
  MEDIA_ITEM_MAX_BYTES: wholeNumber({ fallback: 500 * mebibyte, min: 1, max: 2 ** 40 }),
  MEDIA_WORKSPACE_MAX_BYTES: wholeNumber({ fallback: 10 * 1024 * mebibyte, min: 1, max: 2 ** 49 }),
  DOWNLOAD_LINK_HOURS: wholeNumber({ fallback: 24, min: 1, max: 720 }),
  REQUEST_LOG_DAYS: wholeNumber({ fallback: 30, min: 0, max: 3650 }),
  WRONG_CODES_PER_MINUTE: wholeNumber({ fallback: 60, min: 0, max: 1_000_000 }),
  /**
   * The limit of wrong codes for publishable keys. It is higher than for secret keys, because many buyers'
   * sites share one publishable key, and some of these sites share an IP address.
   */
  PUBLISHABLE_WRONG_CODES_PER_MINUTE: wholeNumber({ fallback: 300, min: 0, max: 1_000_000 }),
};

export type Config = ReturnType<typeof readLicensingConfig>;

/**
 * Commands need only the database. In production, the service and the commands that print links also need the
 * public address of the service.
 */
export function readLicensingConfig(env: Environment, use: 'service' | 'command' = 'service') {
  const missingForLinks = requireInProduction(['LICENSING_PUBLIC_URL'], env);
  const values = readConfig(env, licensingSettings, (given) => [
    ...checkMailSettings(given),
    ...requireDatabaseUrl('LICENSING_DATABASE_URL', env),
    ...(use === 'service' ? missingForLinks : []),
  ]);
  return {
    ...presentServiceSettings(values),
    webhooks: presentWebhookSettings(values),
    mail: presentMailSettings(values),
    port: values.LICENSING_PORT,
    /** One sentence for each missing setting that a command needs to print a link. */
    missingForLinks,
    publicUrl: values.LICENSING_PUBLIC_URL ?? urlOf(values.HOST, values.LICENSING_PORT),
    ...presentDatabase(values, {
      url: values.LICENSING_DATABASE_URL,
      direct: values.LICENSING_DATABASE_DIRECT_URL,
      replica: values.LICENSING_REPLICA_URL,
    }),
    wrongCodesPerMinute: {
      secret: values.WRONG_CODES_PER_MINUTE,
      publishable: values.PUBLISHABLE_WRONG_CODES_PER_MINUTE,
    },
    requestLogDays: values.REQUEST_LOG_DAYS,
    filesDir: resolve(values.FILES_DIR || join(values.DATA_DIR, 'files')),
    maxUploadBytes: values.UPLOAD_MAX_BYTES,
    mediaLimits: {
      maxBytes: {
        image: values.MEDIA_IMAGE_MAX_BYTES,
        audio: values.MEDIA_AUDIO_MAX_BYTES,
        video: values.MEDIA_VIDEO_MAX_BYTES,
      },
      maxPixels: values.MEDIA_IMAGE_MAX_PIXELS,
      maxItemBytes: values.MEDIA_ITEM_MAX_BYTES,
      maxWorkspaceBytes: values.MEDIA_WORKSPACE_MAX_BYTES,
    },
    downloadLinkHours: values.DOWNLOAD_LINK_HOURS,
  };
}
