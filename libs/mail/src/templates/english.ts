// The messages in English.
import type { Templates } from './words.ts';

const levels = {
  low: 'is low',
  critical: 'is almost used up',
  exhausted: 'is used up',
} as const;

export const english: Templates = {
  invitation: ({ url, expiresAt, inviter }, { service, formatTime }) => ({
    subject: `You are invited to ${service}`,
    paragraphs: [
      inviter === undefined ? `You are invited to ${service}.` : `${inviter} invites you to ${service}.`,
      'Open the link to accept the invitation.',
    ],
    button: { label: 'Accept the invitation', url },
    note:
      `The link works once, until ${formatTime(expiresAt)}. ` +
      'If you do not know the sender, ignore this message.',
  }),
  password_reset: ({ url, expiresAt }, { service, formatTime }) => ({
    subject: `Reset your password for ${service}`,
    paragraphs: [
      `Somebody asked for a new password for your account at ${service}.`,
      'Open the link to choose a new password. All your sessions then end.',
    ],
    button: { label: 'Choose a new password', url },
    note:
      `The link works once, until ${formatTime(expiresAt)}. ` +
      'If you did not ask for it, ignore this message: your password stays as it is.',
  }),
  credit_alert: (values) => ({
    subject: `The credit of ${values.package} ${levels[values.level]}`,
    paragraphs: [
      `The credit of the package ${values.package} ${levels[values.level]}: ` +
        `${values.balance} ${values.currency} left. ` +
        `The alert threshold is ${values.threshold} ${values.currency}.`,
      values.level === 'exhausted'
        ? 'Players cannot be credited until the package is topped up. Bets and wins continue.'
        : 'When the credit is used up, players can no longer be credited.',
    ],
    button: { label: 'Show the credit', url: values.url },
  }),
  webhook_disabled: ({ tenant, host, reason, url }) => ({
    subject: `A webhook endpoint of ${tenant} was disabled`,
    paragraphs: [
      reason === 'gone'
        ? `The webhook endpoint at ${host} answered 410 (gone), so ${tenant} sends it no more events.`
        : `The webhook endpoint at ${host} has failed for too long, so ${tenant} sends it no more events.`,
      'Events wait for the endpoint. When you enable it again, delivery continues where it stopped.',
    ],
    button: { label: 'Show the endpoint', url },
  }),
  support_ending: ({ workspace, count, purchases, url }, { formatDate }) => ({
    subject:
      count === 1
        ? `The support of a purchase from ${workspace} ends soon`
        : `The support of ${count} purchases from ${workspace} ends soon`,
    paragraphs: [
      count === 1
        ? 'The support of this purchase ends within seven days:'
        : `The support of ${count} purchases ends within seven days. The first ones are:`,
    ],
    list: purchases.map(({ item, id, end }) => `${item}, purchase ${id}: until ${formatDate(end)}`),
    button: { label: 'Show the purchases', url },
  }),
  pool_low: ({ workspace, pool, free, threshold, url }) => ({
    subject: `The pool ${pool} of ${workspace} has few codes left`,
    paragraphs: [
      `The pool ${pool} has ${free === 1 ? 'one free code' : `${free} free codes`}. ` +
        `This message is sent when fewer than ${threshold} codes are free.`,
      'Generate or import codes, so that buyers can get codes from the pool.',
    ],
    button: { label: 'Show the pool', url },
  }),
  buyer_link: ({ url, expiresAt, sellers }, { service, formatTime }) => ({
    subject: 'Open your purchases',
    paragraphs: ['Open the link to see your purchases, downloads and codes from these sellers:'],
    list: sellers,
    button: { label: 'Open my purchases', url },
    note:
      `The link works once, until ${formatTime(expiresAt)}. ` +
      `If you did not ask ${service} for it, ignore this message.`,
  }),
  code_replaced: ({ workspace, item, id, url }) => ({
    subject: `A buyer of ${workspace} replaced a purchase code`,
    paragraphs: [
      `The buyer of ${item} (purchase ${id}) replaced the purchase code, because the old code leaked.`,
      'The old code is no longer valid. You need not do anything.',
    ],
    button: { label: 'Show the purchase', url },
  }),
  buyer_support_ending: ({ workspace, item, end, url, unsubscribeUrl }, { formatDate }) => ({
    subject: `Your support for ${item} ends soon`,
    paragraphs: [
      `Your support for ${item} from ${workspace} ends on ${formatDate(end)}.`,
      'You can continue to use the product. To extend your support, contact the seller.',
    ],
    button: { label: 'Show my purchases', url },
    note: `You get this message because you bought ${item} from ${workspace}.`,
    unsubscribe: { label: 'Stop these messages for this purchase', url: unsubscribeUrl },
  }),
};
