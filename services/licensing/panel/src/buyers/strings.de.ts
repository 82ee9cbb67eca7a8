// The texts of the buyer portal in German.
import type { BuyerWords } from './strings.ts';

const german: BuyerWords = {
  title: 'Ihre Käufe',
  signIn: {
    title: 'Ihre Käufe öffnen',
    hint:
      'Hier sehen Sie Ihre Codes, Downloads und Hosts. ' +
      'Geben Sie die E-Mail-Adresse ein, mit der Sie gekauft haben.',
    email: 'E-Mail',
    code: 'Kaufcode',
    send: 'Link senden',
    open: 'Öffnen',
    useCode: 'Stattdessen einen Kaufcode verwenden',
    useLink: 'Stattdessen einen Link per E-Mail erhalten',
    sent:
      'Wenn es zu dieser E-Mail-Adresse Käufe gibt, ist eine Nachricht mit einem Link unterwegs. ' +
      'Der Link gilt 30 Minuten.',
    redeem: 'Meine Käufe öffnen',
    redeemHint: 'Der Link funktioniert nur einmal.',
    another: 'Neuen Link anfordern',
  },
  unsubscribe: {
    title: 'Nachrichten abbestellen',
    hint: 'Sie erhalten dann keine Nachrichten mehr über das Ende des Supports für diesen Kauf.',
    stop: 'Abbestellen',
    done: 'Sie erhalten keine Nachrichten mehr über das Ende des Supports für diesen Kauf.',
  },
  list: {
    signOut: 'Abmelden',
    only: 'Sie haben sich mit einem Kaufcode angemeldet. Deshalb wird nur dieser Kauf angezeigt.',
    none: 'Zu dieser E-Mail-Adresse gibt es keine Käufe.',
    more: 'Mehr anzeigen',
    export: 'Meine Daten herunterladen',
    bought: (date) => `Gekauft am ${date}`,
    details: (item) => `Einzelheiten zu ${item}`,
  },
  states: {
    active: 'Aktiv',
    refunded: 'Erstattet',
    cancelled: 'Storniert',
    disputed: 'Angefochten',
  },
  purchase: {
    back: 'Alle Käufe',
    code: 'Kaufcode',
    copy: 'Kopieren',
    copied: 'Kopiert',
    licence: 'Lizenz',
    price: 'Preis',
    date: 'Gekauft am',
    support: 'Support bis',
    noSupport: 'Kein Support',
    supportEnded: (date) => `Endete am ${date}`,
  },
  hosts: {
    title: 'Rechner und Websites',
    text:
      'Geben Sie einen Host frei, wenn Sie mit Ihrer Website umgezogen sind ' +
      'oder den Rechner gewechselt haben.',
    used: (used, limit) => `In Verwendung: ${used} von ${limit}`,
    none: 'Der Kauf wird auf keinem Host verwendet.',
    release: 'Freigeben',
    releaseName: (host) => `${host} freigeben`,
    released: 'Freigegeben',
    ended: 'Nicht in Benutzung',
    free: 'Zählt nicht mit',
    erased: 'Name gelöscht',
  },
  downloads: {
    title: 'Downloads und Updates',
    until: (date) => `Ihr Kauf umfasst die Versionen, die bis zum ${date} erschienen sind.`,
    none: 'Es gibt noch nichts herunterzuladen.',
    download: 'Herunterladen',
    downloadVersion: (version) => `Version ${version} herunterladen`,
    notIncluded: 'Nicht enthalten',
    last: 'Zuletzt heruntergeladen',
    beta: 'Betaversion',
  },
  leak: {
    title: 'Bekannt gewordener Code',
    text:
      'Ersetzen Sie den Code, wenn jemand anderes ihn kennt. ' +
      'Der alte Code gilt sofort nicht mehr, und der Verkäufer wird informiert.',
    replace: 'Code ersetzen',
    confirm: 'Code jetzt ersetzen? Geben Sie danach den neuen Code überall ein, wo Sie den alten verwenden.',
    yes: 'Ja, Code ersetzen',
    no: 'Abbrechen',
    done: 'Der Code wurde ersetzt. Das ist Ihr neuer Code.',
    left: (count) =>
      count === 1
        ? 'Sie können den Code noch einmal ersetzen. Erlaubt ist das dreimal in 30 Tagen.'
        : `Sie können den Code ${count}-mal ersetzen. Erlaubt ist das dreimal in 30 Tagen.`,
    exhausted: 'Der Code wurde in 30 Tagen dreimal ersetzt. Bitten Sie den Verkäufer um Hilfe.',
  },
  problems: {
    buyer_sign_in_failed: 'Die E-Mail oder der Kaufcode ist falsch.',
    link_invalid: 'Der Link wurde schon verwendet oder ist abgelaufen. Fordern Sie einen neuen an.',
    not_signed_in: 'Sie wurden abgemeldet. Melden Sie sich wieder an.',
    mail_off: 'Dieser Dienst sendet keine E-Mails. Verwenden Sie einen Kaufcode.',
    reissue_limit_reached: 'Der Code wurde in 30 Tagen dreimal ersetzt. Bitten Sie den Verkäufer um Hilfe.',
    purchase_state_conflict: 'Der Kauf ist nicht mehr aktiv.',
    purchase_not_found: 'Diesen Kauf gibt es nicht.',
    workspace_not_found: 'Diesen Kauf gibt es nicht.',
    activation_not_found: 'Der Host wurde schon entfernt.',
    version_not_found: 'Ihr Kauf umfasst diese Version nicht.',
    file_missing: 'Diese Version hat keine Datei.',
    licence_ended: 'Die Lizenz dieses Kaufs ist abgelaufen.',
    not_a_seller: 'Der Verkäufer bietet zurzeit keine Downloads an.',
    invalid_parameter: 'Prüfen Sie die E-Mail und den Kaufcode.',
  },
  language: 'Sprache',
};

export default german;
