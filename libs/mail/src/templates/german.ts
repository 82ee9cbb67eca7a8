// The messages in German.
import type { Templates } from './words.ts';

const levels = {
  low: 'ist niedrig',
  critical: 'ist fast verbraucht',
  exhausted: 'ist verbraucht',
} as const;

export const german: Templates = {
  invitation: ({ url, expiresAt, inviter }, { service, formatTime }) => ({
    subject: `Sie sind zu ${service} eingeladen`,
    paragraphs: [
      inviter === undefined ? `Sie sind zu ${service} eingeladen.` : `${inviter} lädt Sie zu ${service} ein.`,
      'Öffnen Sie den Link, um die Einladung anzunehmen.',
    ],
    button: { label: 'Einladung annehmen', url },
    note:
      `Der Link gilt einmal, bis ${formatTime(expiresAt)}. ` +
      'Wenn Sie den Absender nicht kennen, ignorieren Sie diese Nachricht.',
  }),
  password_reset: ({ url, expiresAt }, { service, formatTime }) => ({
    subject: `Ihr Passwort für ${service} zurücksetzen`,
    paragraphs: [
      `Jemand hat ein neues Passwort für Ihr Konto bei ${service} angefordert.`,
      'Öffnen Sie den Link, um ein neues Passwort zu wählen. Danach enden alle Ihre Sitzungen.',
    ],
    button: { label: 'Neues Passwort wählen', url },
    note:
      `Der Link gilt einmal, bis ${formatTime(expiresAt)}. ` +
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: ' +
      'Ihr Passwort bleibt unverändert.',
  }),
  credit_alert: (values) => ({
    subject: `Das Guthaben von ${values.package} ${levels[values.level]}`,
    paragraphs: [
      `Das Guthaben des Pakets ${values.package} ${levels[values.level]}: ` +
        `Es sind noch ${values.balance} ${values.currency} übrig. ` +
        `Die Warnschwelle ist ${values.threshold} ${values.currency}.`,
      values.level === 'exhausted'
        ? 'Spielern kann nichts gutgeschrieben werden, bis das Paket aufgeladen ist. ' +
          'Einsätze und Gewinne laufen weiter.'
        : 'Wenn das Guthaben verbraucht ist, kann Spielern nichts mehr gutgeschrieben werden.',
    ],
    button: { label: 'Guthaben ansehen', url: values.url },
  }),
  webhook_disabled: ({ tenant, host, reason, url }) => ({
    subject: `Ein Webhook-Endpunkt von ${tenant} wurde abgeschaltet`,
    paragraphs: [
      reason === 'gone'
        ? `Der Webhook-Endpunkt bei ${host} hat mit 410 (gone) geantwortet. ` +
          `${tenant} sendet ihm keine Ereignisse mehr.`
        : `Der Webhook-Endpunkt bei ${host} war zu lange gestört. ` +
          `${tenant} sendet ihm keine Ereignisse mehr.`,
      'Die Ereignisse warten. Wenn Sie den Endpunkt wieder einschalten, geht die Zustellung dort weiter, ' +
        'wo sie aufgehört hat.',
    ],
    button: { label: 'Endpunkt ansehen', url },
  }),
  support_ending: ({ workspace, count, purchases, url }, { formatDate }) => ({
    subject:
      count === 1
        ? `Der Support eines Kaufs bei ${workspace} endet bald`
        : `Der Support von ${count} Käufen bei ${workspace} endet bald`,
    paragraphs: [
      count === 1
        ? 'Der Support dieses Kaufs endet innerhalb von sieben Tagen:'
        : `Der Support von ${count} Käufen endet innerhalb von sieben Tagen. Die ersten sind:`,
    ],
    list: purchases.map(({ item, id, end }) => `${item}, Kauf ${id}: bis ${formatDate(end)}`),
    button: { label: 'Käufe ansehen', url },
  }),
  pool_low: ({ workspace, pool, free, threshold, url }) => ({
    subject: `Der Pool ${pool} von ${workspace} hat nur noch wenige Codes`,
    paragraphs: [
      `Der Pool ${pool} hat noch ${free === 1 ? 'einen freien Code' : `${free} freie Codes`}. ` +
        `Sie erhalten diese Nachricht, sobald weniger als ${threshold} Codes frei sind.`,
      'Erzeugen oder importieren Sie Codes, damit Käufer Codes aus dem Pool erhalten.',
    ],
    button: { label: 'Pool ansehen', url },
  }),
  buyer_link: ({ url, expiresAt, sellers }, { service, formatTime }) => ({
    subject: 'Ihre Käufe öffnen',
    paragraphs: ['Öffnen Sie den Link, um Ihre Käufe, Downloads und Codes bei diesen Verkäufern anzusehen:'],
    list: sellers,
    button: { label: 'Meine Käufe öffnen', url },
    note:
      `Der Link gilt einmal, bis ${formatTime(expiresAt)}. ` +
      `Wenn Sie ihn nicht bei ${service} angefordert haben, ignorieren Sie diese Nachricht.`,
  }),
  code_replaced: ({ workspace, item, id, url }) => ({
    subject: `Ein Käufer von ${workspace} hat einen Kaufcode ersetzt`,
    paragraphs: [
      `Der Käufer von ${item} (Kauf ${id}) hat den Kaufcode ersetzt, weil der alte Code bekannt wurde.`,
      'Der alte Code ist nicht mehr gültig. Sie müssen nichts tun.',
    ],
    button: { label: 'Kauf ansehen', url },
  }),
  buyer_support_ending: ({ workspace, item, end, url, unsubscribeUrl }, { formatDate }) => ({
    subject: `Ihr Support für ${item} endet bald`,
    paragraphs: [
      `Ihr Support für ${item} von ${workspace} endet am ${formatDate(end)}.`,
      'Sie können das Produkt weiter nutzen. Um den Support zu verlängern, wenden Sie sich an den Verkäufer.',
    ],
    button: { label: 'Meine Käufe ansehen', url },
    note: `Sie erhalten diese Nachricht, weil Sie ${item} bei ${workspace} gekauft haben.`,
    unsubscribe: { label: 'Diese Nachrichten für diesen Kauf abbestellen', url: unsubscribeUrl },
  }),
};
