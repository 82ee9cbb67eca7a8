// The texts of the buyer portal in English.
import { chooseWords } from '@counterfoil/ui/language.ts';

const english = {
  title: 'Your purchases',
  signIn: {
    title: 'Open your purchases',
    hint: 'See your codes, downloads and hosts. Enter the e-mail address that you used when you bought.',
    email: 'E-mail',
    code: 'Purchase code',
    send: 'Send me a link',
    open: 'Open',
    useCode: 'Use a purchase code instead',
    useLink: 'Get a link by e-mail instead',
    sent:
      'If there are purchases for this e-mail address, a message with a link is on its way. ' +
      'The link works for 30 minutes.',
    redeem: 'Open my purchases',
    redeemHint: 'The link works once.',
    another: 'Ask for another link',
  },
  unsubscribe: {
    title: 'Stop messages',
    hint: 'You then get no more messages about the end of support for this purchase.',
    stop: 'Stop the messages',
    done: 'You get no more messages about the end of support for this purchase.',
  },
  list: {
    signOut: 'Sign out',
    only: 'You signed in with a purchase code, so only this purchase is shown.',
    none: 'There are no purchases for this e-mail address.',
    more: 'Show more',
    export: 'Download my data',
    bought: (date: string) => `Bought on ${date}`,
    details: (item: string) => `Details of ${item}`,
  },
  states: {
    active: 'Active',
    refunded: 'Refunded',
    cancelled: 'Cancelled',
    disputed: 'Disputed',
  } as Readonly<Record<string, string>>,
  purchase: {
    back: 'All purchases',
    code: 'Purchase code',
    copy: 'Copy',
    copied: 'Copied',
    licence: 'Licence',
    price: 'Price',
    date: 'Bought on',
    support: 'Support until',
    noSupport: 'No support',
    supportEnded: (date: string) => `Ended on ${date}`,
  },
  hosts: {
    title: 'Hosts',
    text: 'Release a host if you moved your site or changed your computer.',
    used: (used: number, limit: string) => `In use: ${used} of ${limit}`,
    none: 'The purchase is not in use on any host.',
    release: 'Release',
    releaseName: (host: string) => `Release ${host}`,
    released: 'Released',
    ended: 'Not in use',
    free: 'Does not count towards the limit',
    erased: 'Name erased',
  },
  downloads: {
    title: 'Downloads and updates',
    until: (date: string) => `Your purchase includes the versions that were released until ${date}.`,
    none: 'There is nothing to download yet.',
    download: 'Download',
    downloadVersion: (version: string) => `Download version ${version}`,
    notIncluded: 'Not included',
    last: 'Your last download',
    beta: 'Beta',
  },
  leak: {
    title: 'Leaked code',
    text:
      'If somebody else has your code, replace it. ' +
      'The old code stops working at once, and the seller is informed.',
    replace: 'Replace the code',
    confirm: 'Replace the code now? Afterwards, enter the new code wherever you use the old one.',
    yes: 'Yes, replace the code',
    no: 'Cancel',
    done: 'The code was replaced. This is your new code.',
    left: (count: number) =>
      count === 1
        ? 'You can replace the code once more. The limit is three times in 30 days.'
        : `You can replace the code ${count} times. The limit is three times in 30 days.`,
    exhausted: 'The code was replaced three times in 30 days. Ask the seller for help.',
  },
  problems: {
    buyer_sign_in_failed: 'The e-mail or the purchase code is wrong.',
    link_invalid: 'The link was already used or has expired. Ask for a new one.',
    not_signed_in: 'You were signed out. Sign in again.',
    mail_off: 'This service sends no e-mail. Use a purchase code.',
    reissue_limit_reached: 'The code was replaced three times in 30 days. Ask the seller for help.',
    purchase_state_conflict: 'The purchase is no longer active.',
    purchase_not_found: 'There is no such purchase.',
    workspace_not_found: 'There is no such purchase.',
    activation_not_found: 'The host was removed already.',
    version_not_found: 'Your purchase does not include this version.',
    file_missing: 'This version has no file.',
    licence_ended: 'The licence of this purchase has ended.',
    not_a_seller: 'The seller offers no downloads at the moment.',
    invalid_parameter: 'Check the e-mail and the purchase code.',
  } as Readonly<Record<string, string>>,
  language: 'Language',
};

export type BuyerWords = typeof english;

export const words: BuyerWords = await chooseWords(english, () => import('./strings.de.ts'));
