// The texts that both panels share, in German. This file imports no code, because the first page waits for
// it.
import type { Words } from './strings.ts';

const german: Words = {
  brand: 'Counterfoil',
  close: 'Schließen',
  home: {
    title: 'Start',
    noTenants: 'Sie haben noch keinen Zugang',
    noTenantsText: 'Bitten Sie einen Inhaber um eine Einladung und öffnen Sie den Einladungslink.',
  },
  state: {
    loading: 'Wird geladen',
    failed: 'Das hat nicht geklappt',
    retry: 'Erneut versuchen',
    requestId: (id) => `Anfrage ${id}`,
    notFoundTitle: 'Seite nicht gefunden',
    notFoundText:
      'Vielleicht ist die Adresse falsch oder der Eintrag gelöscht, oder Sie haben keinen Zugriff.',
    goHome: 'Zur Startseite',
  },
  problem: {
    unknown: 'Der Dienst hat keinen Grund genannt.',
    network: 'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    byCode: {
      overloaded: 'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
      unavailable: 'Der Dienst erreicht seine Datenbank nicht. Versuchen Sie es gleich noch einmal.',
      internal_error: 'Bei uns ist ein Fehler aufgetreten. Er wurde protokolliert. Versuchen Sie es erneut.',
      forbidden: 'Das dürfen nur Inhaber.',
      sign_in_failed: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
      second_factor_invalid: 'Der Code ist falsch oder wurde bereits verwendet.',
      not_signed_in: 'Sie waren nicht mehr angemeldet. Es wurde nichts geändert; versuchen Sie es erneut.',
    },
    tooMany: (seconds) =>
      seconds < 90
        ? `Zu viele Versuche. Warten Sie ${seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`}.`
        : `Zu viele Versuche. Warten Sie ${Math.ceil(seconds / 60)} Minuten.`,
  },
  copy: { copy: 'Kopieren', done: 'Kopiert' },
  code: { languages: 'Programmiersprache' },
  confirm: { cancel: 'Abbrechen', type: (name) => `Geben Sie „${name}“ ein, um fortzufahren` },
  dialog: { done: 'Fertig', saved: 'Ich habe es gespeichert' },
  overlaps: {
    '0': 'Kein Übergang: sofort ungültig',
    '1h': '1 Stunde',
    '24h': '24 Stunden',
    '7d': '7 Tage',
    '30d': '30 Tage',
  },
  reveal: {
    button: 'Anzeigen',
    why: 'Geben Sie Ihr Passwort erneut ein. Das Änderungsprotokoll erfasst jeden Abruf.',
    show: 'Anzeigen',
    keep:
      'Speichern Sie diesen Wert nur auf einem Server. ' +
      'Er darf nie in eine Webseite, eine App oder ein öffentliches Repository gelangen.',
  },
  shell: {
    skip: 'Zum Inhalt springen',
    menu: 'Navigation',
    main: 'Hauptmenü',
    signOut: 'Abmelden',
    light: 'Hell',
    dark: 'Dunkel',
    auto: 'Wie das System',
    scheme: 'Darstellung',
    language: 'Sprache',
    userMenu: (name) => `Menü von ${name}`,
    switch: (word) => `${word} wechseln`,
    reference: 'API-Referenz',
  },
  signIn: {
    goOn: 'Melden Sie sich an, um die gewünschte Seite zu öffnen.',
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    code: 'Code',
    codeText:
      'Geben Sie die sechs Ziffern aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    codeTitle: 'Zwei-Faktor-Code',
    verify: 'Prüfen',
    back: 'Von vorn beginnen',
    lost: 'Passwort vergessen?',
    lostText:
      'Geben Sie Ihre E-Mail-Adresse ein. ' +
      'Ist sie hier bekannt, erhalten Sie einen Link für ein neues Passwort.',
    lostSend: 'Link senden',
    lostSent:
      'Ist diese Adresse hier bekannt, ist ein Link unterwegs. Er gilt eine Stunde lang und nur einmal.',
    lostOff: 'Dieser Dienst sendet keine E-Mails. Bitten Sie den Betreiber um einen Link.',
  },
  lock: {
    title: 'Erneut anmelden',
    text:
      'Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren. ' +
      'Ihre Eingaben bleiben erhalten, es sei denn, jemand anderes meldet sich an.',
    back:
      'Sie sind wieder angemeldet. Ihre Eingaben sind erhalten. ' +
      'Wiederholen Sie die fehlgeschlagene Aktion.',
    leave: 'Seite verwerfen und neu beginnen',
  },
  link: {
    welcome: 'Willkommen',
    reset: 'Neues Passwort',
    join: (email) => `Als ${email} beitreten`,
    resetOf: (email) => `Wählen Sie ein neues Passwort für ${email}`,
    known: 'Sie haben bereits ein Konto. Geben Sie dessen Passwort ein, um die Einladung anzunehmen.',
    fresh: 'Wählen Sie einen Namen und ein Passwort, um die Einladung anzunehmen.',
    accept: 'Einladung annehmen',
    save: 'Passwort speichern',
    missing: 'Der Link ist unvollständig. Öffnen Sie ihn genau so, wie Sie ihn erhalten haben.',
    ended: 'Dieser Link gilt nicht mehr',
    resetEnded:
      'Der Link wurde bereits verwendet oder ist abgelaufen. ' +
      'Bitten Sie den Betreiber dieses Dienstes um einen neuen Link zum Zurücksetzen.',
    invitationEnded:
      'Der Link wurde bereits verwendet oder ist abgelaufen. ' +
      'Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.',
    toSignIn: 'Zur Anmeldung',
    name: 'Ihr Name',
  },
  account: {
    title: 'Ihr Konto',
    text: 'Ihr Passwort, die Zwei-Faktor-Anmeldung und Ihre Sitzungen.',
    passwordText: 'Wenn Sie das Passwort ändern, enden alle anderen Sitzungen.',
    current: 'Aktuelles Passwort',
    wanted: 'Neues Passwort',
    change: 'Passwort ändern',
    changed: 'Passwort geändert. Alle anderen Sitzungen sind beendet.',
    sessions: 'Sitzungen',
    sessionsText: 'Wenn Sie eine Sitzung nicht kennen, beenden Sie sie und ändern Sie Ihr Passwort.',
    thisOne: 'Dieser Browser',
    lastSeen: 'Zuletzt gesehen',
    address: 'Adresse',
    browser: 'Browser',
    since: 'Seit',
    end: 'Beenden',
    ended: 'Sitzung beendet.',
    endOf: (browser) => `Sitzung in ${browser} beenden`,
  },
  factor: {
    title: 'Zwei-Faktor-Anmeldung',
    off: 'Aus',
    on: 'Ein',
    offText:
      'Mit der Zwei-Faktor-Anmeldung brauchen Sie auch einen Code aus einer App auf Ihrem Telefon. ' +
      'Ein gestohlenes Passwort allein genügt nicht.',
    onText: (left) =>
      left === 1
        ? 'Ein. Noch 1 Wiederherstellungscode übrig.'
        : `Ein. Noch ${left} Wiederherstellungscodes übrig.`,
    start: 'Einrichten',
    turnOff: 'Ausschalten',
    passwordTitle: 'Zwei-Faktor-Anmeldung einrichten',
    next: 'Weiter',
    scan:
      'Scannen Sie den QR-Code mit Ihrer Authenticator-App, oder tippen Sie das Geheimnis ein. ' +
      'Geben Sie dann den Code ein, den die App anzeigt.',
    qr: 'QR-Code für die Authenticator-App',
    secret: 'Geheimnis',
    confirm: 'Einschalten',
    codes: 'Wiederherstellungscodes',
    codesText:
      'Wenn Sie Ihr Telefon verlieren, können Sie sich mit jedem dieser Codes einmal anmelden. ' +
      'Speichern Sie die Codes jetzt: Sie werden nicht noch einmal angezeigt.',
    kept: 'Ich habe sie gespeichert',
    offDone: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet.',
    offTitle: 'Zwei-Faktor-Anmeldung ausschalten',
  },
  team: {
    title: 'Team',
    text:
      'Inhaber verwalten Einstellungen, Schlüssel und Personen. ' +
      'Mitglieder erledigen die tägliche Arbeit.',
    members: 'Mitglieder',
    name: 'Name',
    role: 'Rolle',
    factor: 'Zwei-Faktor',
    joined: 'Beigetreten',
    you: 'Sie',
    disabled: 'Gesperrt',
    remove: 'Entfernen',
    leave: 'Verlassen',
    removeOf: (name) => `${name} entfernen`,
    removeText: (name) => `${name} verliert sofort den Zugang. Sie können die Person erneut einladen.`,
    leaveText: 'Sie verlieren sofort den Zugang. Ein Inhaber kann Sie erneut einladen.',
    removed: 'Entfernt.',
    roleOf: (name) => `Rolle von ${name}`,
    roleChanged: 'Rolle geändert.',
    roles: { owner: 'Inhaber', member: 'Mitglied', administrator: 'Administrator' },
    invitations: 'Offene Einladungen',
    invitationsText: 'Ein Einladungslink gilt 24 Stunden lang und nur einmal.',
    invite: 'Jemanden einladen',
    expires: 'Läuft ab',
    withdraw: 'Zurückziehen',
    withdrawOf: (email) => `Einladung an ${email} zurückziehen`,
    withdrawn: 'Einladung zurückgezogen.',
    noInvitations: 'Keine offenen Einladungen',
    madeText: {
      queued:
        'Der Link wird per E-Mail gesendet. ' +
        'Sie können ihn auch selbst weitergeben, aber nur jetzt: Er wird nicht erneut angezeigt.',
      limited:
        'Es wurde keine E-Mail gesendet, weil das Limit für E-Mails erreicht ist. ' +
        'Geben Sie diesen Link jetzt weiter: Er wird nicht erneut angezeigt.',
      off:
        'E-Mail ist hier nicht eingerichtet. ' +
        'Geben Sie diesen Link jetzt weiter: Er wird nicht erneut angezeigt.',
    },
    link: 'Einladungslink',
    makeLink: 'Link erstellen',
  },
  mail: {
    title: 'E-Mail',
    text: 'Nachrichten, die ihre Empfänger nicht erreicht haben.',
    off:
      'E-Mail ist nicht eingerichtet. ' +
      'Geben Sie Einladungen als Link weiter; es gibt keine Warnungen per E-Mail.',
    offText: 'Der Betreiber dieses Dienstes setzt SMTP_URL und MAIL_FROM.',
    mailbox: 'Diese Demo hat keinen Mailserver. Ihre Nachrichten liegen im Postfach.',
    openMailbox: 'Postfach öffnen',
    recipient: 'Empfänger',
    kind: 'Nachricht',
    kinds: {
      invitation: 'Einladung',
      password_reset: 'Neues Passwort',
      credit_alert: 'Guthabenwarnung',
      webhook_disabled: 'Webhook abgeschaltet',
      support_ending: 'Ende des Supports',
      pool_low: 'Wenige Codes in einem Pool',
      buyer_link: 'Link für einen Käufer',
      code_replaced: 'Code ersetzt',
      buyer_support_ending: 'Ende des Supports, an Käufer',
    },
    state: 'Zustand',
    waiting: 'Wird wiederholt',
    failed: 'Aufgegeben',
    attempts: 'Versuche',
    reason: 'Grund',
    errors: {
      rejected: 'Der Mailserver hat den Empfänger oder die Nachricht abgelehnt',
      deferred: 'Der Mailserver bittet um einen späteren Versuch',
      sign_in_refused: 'Der Mailserver hat den Benutzernamen oder das Passwort abgelehnt',
      tls_failed: 'Keine sichere Verbindung zum Mailserver',
      name_not_found: 'Der Name des Mailservers wurde nicht gefunden',
      timeout: 'Der Mailserver hat nicht rechtzeitig geantwortet',
      connection_failed: 'Keine Verbindung zum Mailserver',
      expired: 'Der Link in der Nachricht ist abgelaufen',
      unreadable: 'Die Nachricht wurde mit einem anderen Hauptschlüssel versiegelt',
    },
    created: 'Erstellt',
    next: 'Nächster Versuch',
    resend: 'Erneut senden',
    resendTo: (recipient) => `Nachricht an ${recipient} erneut senden`,
    resent: 'Die Nachricht wird erneut gesendet.',
    none: 'Keine unzugestellten Nachrichten',
    noneText: 'Hier stehen Nachrichten, die nicht zugestellt werden können.',
  },
  audit: {
    title: 'Änderungsprotokoll',
    text: 'Jede Änderung mit ihrem Urheber und dessen IP-Adresse. Einträge lassen sich nicht bearbeiten.',
    when: 'Wann',
    who: 'Wer',
    action: 'Aktion',
    subject: 'Geändert',
    package: 'Paket',
    operator: 'Betreiber',
    buyer: 'Käufer',
    person: (id) => `Person Nr. ${id}`,
    key: (id) => `API-Schlüssel ${id}`,
    filterHint: 'Aktion, z. B. role changed',
    none: 'Noch keine Änderungen',
    noneText: 'Hier erscheint jede Änderung.',
  },
  table: {
    next: 'Weiter',
    previous: 'Zurück',
    pages: 'Seiten',
    noMatch: 'Keine Treffer',
    noMatchText: 'Ändern oder löschen Sie die Filter.',
    noMatchYet: 'Bisher keine Treffer',
    noMatchYetText: 'Nur ein Teil der Liste wurde durchsucht. Mit „Weiter“ suchen Sie weiter.',
    clear: 'Filter löschen',
    count: (shown) => (shown === 1 ? '1 Zeile auf dieser Seite' : `${shown} Zeilen auf dieser Seite`),
  },
  webhooks: {
    list: 'Endpunkte',
    none: 'Noch keine Endpunkte',
    add: 'Endpunkt hinzufügen',
    addDo: 'Hinzufügen',
    edit: 'Bearbeiten',
    save: 'Speichern',
    saved: 'Endpunkt gespeichert.',
    url: 'Adresse',
    urlHint: 'Die https-Adresse Ihres Empfängers.',
    description: 'Beschreibung',
    descriptionHint: 'Der Zweck dieses Endpunkts.',
    events: 'Ereignisse',
    allEvents: 'Alle Ereignisse',
    state: 'Status',
    states: {
      enabled: 'Aktiv',
      failing: 'Schlägt fehl',
      paused: 'Pausiert',
      stopped: 'Abgeschaltet',
    },
    stoppedTitle: 'An diesen Endpunkt wird nichts mehr zugestellt',
    reasons: {
      gone: 'Der Empfänger hat mit 410 Gone geantwortet und erhält deshalb nichts mehr.',
      failing:
        'Seit Tagen schlägt jeder Versuch fehl. ' +
        'Beheben Sie den Fehler beim Empfänger und schalten Sie den Endpunkt wieder ein. ' +
        'Der Dienst sendet dann die wartenden Ereignisse.',
    },
    errors: {
      address_refused: 'Die Adresse ist nicht öffentlich.',
      redirected:
        'Der Empfänger hat mit einer Weiterleitung geantwortet. Weiterleitungen werden nicht befolgt.',
      wrong_status: 'Nur eine Antwort mit 2xx gilt als zugestellt.',
      timeout: 'Keine Antwort innerhalb von zehn Sekunden.',
      name_not_found: 'Den Hostnamen gibt es nicht.',
      tls_failed: 'Das TLS-Zertifikat ist ungültig.',
      connection_failed: 'Die Verbindung ist fehlgeschlagen.',
    },
    failingSince: 'Erster Fehlschlag',
    enableAgain: 'Wieder einschalten',
    pause: 'Pausieren',
    paused: 'Pausiert. Ereignisse warten, bis Sie den Endpunkt fortsetzen.',
    resume: 'Fortsetzen',
    resumed: 'Zustellung fortgesetzt.',
    lastDelivered: 'Zuletzt zugestellt',
    never: 'Nie',
    nothing: '–',
    pending: 'Wartend',
    created: 'Hinzugefügt',
    about: 'Endpunkt',
    gone: 'Diesen Endpunkt gibt es nicht',
    goneText: 'Der Endpunkt wurde gelöscht, oder die Adresse ist falsch.',
    secret: 'Signaturgeheimnis',
    secretText:
      'Mit diesem Geheimnis prüft Ihr Empfänger Signaturen. ' +
      'Mit Ihrem Passwort können Sie es später wieder anzeigen.',
    shownOnce: 'Kopieren Sie das Signaturgeheimnis jetzt in Ihren Empfänger.',
    reveal: 'Geheimnis anzeigen',
    rotate: 'Geheimnis erneuern',
    rotateTitle: 'Signaturgeheimnis erneuern',
    rotateText:
      'Erzeugt ein neues Geheimnis. ' +
      'In der Übergangszeit werden Ereignisse mit dem alten und dem neuen Geheimnis signiert. ' +
      'Ihr Empfänger kann sie mit jedem der beiden Geheimnisse prüfen.',
    overlap: 'Das alte Geheimnis bleibt gültig für',
    oldUntil: (time) => `Bis ${time} werden Ereignisse auch mit dem alten Geheimnis signiert.`,
    oldEnded: 'Das alte Geheimnis gilt nicht mehr.',
    oldSecret: 'Altes Geheimnis gültig bis',
    delete: 'Löschen',
    deleteTitle: 'Diesen Endpunkt löschen?',
    deleteText: (url) => `An ${url} wird nichts mehr gesendet. Das Zustellprotokoll wird endgültig gelöscht.`,
    deleted: 'Endpunkt gelöscht.',
    test: 'Testen',
    testText: 'Sendet jetzt ein signiertes Testereignis und zeigt die Antwort.',
    sendTest: 'Testereignis senden',
    answered: (status) => `Antwort: HTTP ${status}`,
    noAnswer: 'Keine Antwort',
    milliseconds: (ms) => `${ms} ms`,
    deliveries: 'Zustellungen',
    deliveriesText:
      'Neueste zuerst. Fehlgeschlagene Zustellungen werden automatisch in wachsenden Abständen wiederholt.',
    noDeliveries: 'Noch keine Zustellungen',
    noDeliveriesText: 'Zustellungen erscheinen hier. Senden Sie ein Testereignis, um eine zu sehen.',
    event: 'Ereignis',
    eventId: 'Ereignis-ID',
    outcome: 'Ergebnis',
    outcomes: { delivered: 'Zugestellt', failed: 'Fehlgeschlagen', refused: 'Nicht gesendet' },
    attempt: 'Versuch',
    status: 'Antwort',
    took: 'Dauer',
    error: 'Fehler',
    nextAttempt: 'Nächster Versuch',
    details: 'Einzelheiten',
    detailsOf: (type, attempt) => `Einzelheiten zu ${type}, Versuch ${attempt}`,
    payload: 'Gesendeter Inhalt',
    testNotKept:
      'Testereignisse werden nicht gespeichert und lassen sich daher nicht anzeigen oder erneut senden.',
    replayOne: 'Erneut senden',
    queuedOne: 'Das Ereignis wird erneut gesendet.',
    replay: 'Erneut senden …',
    replayTitle: 'Ereignisse erneut senden',
    replayText:
      'Sendet alle Ereignisse seit dem gewählten Zeitpunkt erneut. ' +
      'Jedes Ereignis behält seine ID, an der Ihr Empfänger Wiederholungen erkennt.',
    since: 'Seit',
    queued: (count) =>
      count === 1 ? '1 Ereignis wird erneut gesendet.' : `${count} Ereignisse werden erneut gesendet.`,
  },
  plot: { time: 'Zeit' },
};

export default german;
