// The steps through the webhook pages, which the tests of both panels share.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { createLogger, type Logger } from '@counterfoil/kit/observability/logging';
import { createMetrics, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import type { Dispatcher } from '@counterfoil/webhooks/dispatcher/dispatcher';
import { type AttemptSender, createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import type { WebhookSettings } from '@counterfoil/webhooks/endpoints/webhook-settings';
import { openReceiver, type Receiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, waitForNotice } from './browser.ts';

export interface WebhookStory {
  readonly page: Page;
  readonly receiver: Receiver;
  readonly password: string;
  /** The event type that the endpoint receives. */
  readonly type: string;
  readonly cause: () => Promise<unknown>;
  /** Moves the service's clock forward. */
  readonly pass: (ms: number) => void;
}

interface Sending {
  readonly db: Db;
  readonly config: { readonly masterKey: MasterKey; readonly webhooks: WebhookSettings };
  readonly clock: { readonly now: Date };
}

type StartDispatcher = (deps: {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly settings: WebhookSettings;
  readonly sender: AttemptSender;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly now: () => Date;
  readonly pauseMs: number;
}) => Dispatcher;

/** Settings that allow webhooks to this machine. */
export const localWebhooks = { WEBHOOK_LOCAL_ADDRESSES: 'on' };

/** Starts a receiver on this machine and the dispatcher of the site. */
export async function openReceiving(service: string, site: Sending, startDispatcher: StartDispatcher) {
  const receiver = await openReceiver();
  const sender = createSender(createAddressGuard({ allowLocal: true }));
  const dispatcher = startDispatcher({
    db: site.db,
    masterKey: site.config.masterKey,
    settings: site.config.webhooks,
    sender,
    logger: createLogger({ service, level: 'silent' }),
    registry: createMetrics(service),
    now: () => site.clock.now,
    pauseMs: 100,
  });
  const close = async () => {
    await dispatcher.stop();
    await sender.close();
    await receiver.close();
  };
  return { receiver, close };
}

/**
 * Goes through all steps of an endpoint in the panel. At the start, the page must show an empty list of
 * endpoints.
 */
export async function walkWebhooks(story: WebhookStory): Promise<void> {
  await addEndpoint(story);
  await sendTest(story);
  await failAndRecover(story);
  await sendAgain(story);
  await changeSecret(story);
  await stopAndDelete(story);
}

const dialogOf = ({ page }: WebhookStory) => page.getByRole('dialog');

/** Waits for the end of animations, because elements that fade in have too little contrast at first. */
const waitForAnimations = ({ page }: WebhookStory) =>
  page.waitForFunction(() => document.getAnimations().every((each) => each.playState !== 'running'));

const expectReadable = async (story: WebhookStory) => {
  const { page } = story;
  await waitForAnimations(story);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
};

async function addEndpoint(story: WebhookStory): Promise<void> {
  const { page, receiver, type } = story;
  const dialog = dialogOf(story);
  await page.getByText('No endpoints yet').waitFor();
  await expectReadable(story);
  await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Description').fill('the shop');
  await dialog.getByLabel('All events').uncheck();
  expect(await dialog.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true);
  await dialog.getByLabel(type, { exact: true }).check();
  await expectReadable(story);
  await dialog.getByRole('button', { name: 'Add' }).click();
  receiver.secret = (await dialog.getByTestId('secret').innerText()).trim();
  expect(receiver.secret).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I have saved it' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(receiver.secret);
  await page.getByRole('link', { name: receiver.url }).press('Enter');
  await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
  await page.getByText('No deliveries yet').waitFor();
}

async function sendTest(story: WebhookStory): Promise<void> {
  const { page, receiver } = story;
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText(/^Answered with HTTP 204/).waitFor();
  expect(receiver.taken.map(({ event }) => event.type)).toEqual(['webhook.test']);
  await page.getByRole('row', { name: 'webhook.test' }).getByText('Delivered').waitFor();
}

async function failAndRecover(story: WebhookStory): Promise<void> {
  const { page, receiver, type } = story;
  receiver.answer = () => 503;
  await story.cause();
  await expect.poll(() => receiver.refused.length).toBeGreaterThan(0);
  await page.reload();
  const failed = page.getByRole('row', { name: type }).filter({ hasText: '503' }).first();
  await failed.getByText('Failed').waitFor();
  await failed.getByText('Only a 2xx response counts').waitFor();
  await page.getByText('Failing', { exact: true }).waitFor();
  await expectReadable(story);
  receiver.answer = () => 204;
  story.pass(3_600_000);
  await expect.poll(() => receiver.taken.at(-1)?.event.type).toBe(type);
  await page.reload();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Delivered' }).click();
  await page.getByRole('row', { name: type }).filter({ hasText: '204' }).waitFor();
  await failed.waitFor({ state: 'detached' });
  await page.getByText('Active', { exact: true }).waitFor();
}

async function sendAgain(story: WebhookStory): Promise<void> {
  const { page, receiver, type } = story;
  const dialog = dialogOf(story);
  const { id } = receiver.taken.at(-1) ?? { id: '' };
  const countTaken = () => receiver.taken.filter((each) => each.id === id).length;
  await page.getByRole('button', { name: `Details of ${type}` }).click();
  await dialog.getByText(id, { exact: true }).waitFor();
  await dialog.getByRole('region', { name: 'Payload as sent' }).getByText(`"${type}"`).waitFor();
  await expectReadable(story);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(countTaken).toBe(2);

  await page.getByRole('button', { name: 'Send again …' }).click();
  const anHourAgo = new Date(Date.now() - 3_600_000 - new Date().getTimezoneOffset() * 60_000);
  await dialog.getByLabel('Since').fill(anHourAgo.toISOString().slice(0, 16));
  await dialog.getByRole('button', { name: 'Send again …' }).click();
  await waitForNotice(page, 'will be sent again.');
  await expect.poll(countTaken).toBe(3);
}

async function changeSecret(story: WebhookStory): Promise<void> {
  const { page, receiver } = story;
  const dialog = dialogOf(story);
  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await dialog.getByLabel('1 hour').check();
  await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
  const secret = (await dialog.getByTestId('secret').innerText()).trim();
  expect(secret).not.toBe(receiver.secret);
  await dialog.getByText('events are also signed with the old secret').waitFor();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  // The receiver has only the old secret. During the overlap, events are signed with the old and the new
  // secret.
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expect.poll(() => receiver.taken.at(-1)?.event.type).toBe('webhook.test');
  expect(receiver.taken.at(-1)?.signature.split(' ')).toHaveLength(2);

  await page.getByRole('button', { name: 'Reveal the secret' }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(story.password);
  await dialog.getByRole('button', { name: 'Show it' }).click();
  await dialog.getByText(secret).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function stopAndDelete(story: WebhookStory): Promise<void> {
  const { page, receiver } = story;
  const dialog = dialogOf(story);
  // 410 Gone disables the endpoint. The page then shows the reason and a button that enables the endpoint
  // again.
  receiver.answer = () => 410;
  await story.cause();
  await page.getByText('Deliveries to this endpoint have stopped').waitFor();
  await page.getByText('410 Gone').waitFor();
  await expectReadable(story);
  receiver.answer = () => 204;
  await page.getByRole('button', { name: 'Enable again' }).click();
  await page.getByText('Active', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Its delivery log is deleted permanently').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No endpoints yet').waitFor();
}
