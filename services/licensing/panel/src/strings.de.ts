// The texts of the licensing panel, in German. The first page waits for this file, so the file imports no
// code.
import type { Words } from './strings.ts';

const german: Words = {
  name: 'Lizenzen',
  workspace: 'Arbeitsbereich',
  people: 'Personen',
  settings: 'Einstellungen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  never: 'Nie',
  none: '—',
  ownersOnly: 'Nur Inhaber können das ändern.',
  pages: {
    dashboard: 'Übersicht',
    items: 'Artikel',
    newItem: 'Neuer Artikel',
    item: 'Artikel',
    purchases: 'Käufe',
    importPurchases: 'Käufe importieren',
    purchase: 'Kauf',
    pools: 'Code-Pools',
    pool: 'Code-Pool',
    abuse: 'Missbrauchsverdacht',
    check: 'Code prüfen',
    requests: 'Anfrageprotokoll',
    team: 'Team',
    audit: 'Änderungsprotokoll',
    apiKeys: 'API-Schlüssel',
    licences: 'Offline-Lizenzen',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    mail: 'E-Mail',
    workspace: 'Arbeitsbereich',
  },
  dashboard: {
    text: 'Die letzten Prüfungen und Verkäufe sowie Käufe, deren Support bald endet.',
    validations: 'Prüfungen je Stunde',
    validationsText: 'Gültige und ungültige Codes. Die laufende Stunde erscheint, wenn sie vorbei ist.',
    plotLabel: 'Prüfungen je Stunde, gültige und ungültige',
    valid: 'Gültig',
    invalid: 'Ungültig',
    day: '24 Stunden',
    week: '7 Tage',
    month: '30 Tage',
    period: 'Zeitraum',
    noCalls: 'Keine Prüfungen in diesem Zeitraum',
    noCallsText: 'Prüfungen erscheinen hier, sobald ein Plug-in oder einer Ihrer Server einen Code prüft.',
    validFigure: 'Gültige Codes',
    invalidFigure: 'Ungültige Codes',
    share: (percent) => `${percent} von allen Prüfungen`,
    sales: 'Verkäufe, 30 Tage',
    salesPlot: 'Verkäufe je Tag',
    salesText: 'Ohne erstattete und stornierte Käufe.',
    noSales: 'Keine Verkäufe in den letzten 30 Tagen',
    noSalesText: 'Erfassen Sie einen Kauf hier oder über die API, oder importieren Sie eine Datei.',
    count: (count) => (count === 1 ? '1 Verkauf' : `${count} Verkäufe`),
    support: 'Bald endender Support',
    supportText: 'Aktive Käufe, deren Support in den nächsten 30 Tagen endet.',
    supportNone: 'In den nächsten 30 Tagen endet kein Support',
    supportFigure: 'Support endet innerhalb von 30 Tagen',
    ends: 'Endet',
  },
  checklist: {
    title: 'Erste Schritte',
    text: 'Vier Schritte, bis Ihr Plug-in Kaufcodes prüft.',
    key: {
      title: 'API-Schlüssel erzeugen',
      text:
        'Erzeugen Sie den Schlüssel unter „Einstellungen“, „API-Schlüssel“, ' +
        'und speichern Sie ihn auf Ihrem Server.',
      action: 'Zu den API-Schlüsseln',
    },
    item: {
      title: 'Artikel veröffentlichen',
      text: 'Geben Sie dem Artikel einen Namen, einen Preis und Bilder.',
      action: 'Zu den Artikeln',
    },
    call: {
      title: 'Ersten Aufruf senden',
      text:
        'Rufen Sie eine beliebige Operation der API mit dem Schlüssel auf. ' +
        'Nach wenigen Sekunden ist dieser Schritt als erledigt markiert.',
      action: 'Aufruf kopieren',
    },
    code: {
      title: 'Ersten Code prüfen',
      text: 'Erfassen Sie einen Kauf und prüfen Sie seinen Code.',
    },
    done: 'Erledigt',
    open: 'Offen',
  },
  items: {
    text: 'Die Artikel, die Sie verkaufen. Die API listet veröffentlichte Artikel auf, aber keine Entwürfe.',
    search: 'Name oder Schlagwort suchen',
    state: 'Status',
    kind: 'Art',
    none: 'Noch keine Artikel',
    noneText:
      'Ein Artikel ist ein Produkt mit Kaufcode, zum Beispiel ein Theme, ein Plug-in oder ein Musikstück.',
    name: 'Name',
    price: 'Regulärer Preis',
    version: 'Version',
    updated: 'Geändert',
    states: { draft: 'Entwurf', published: 'Veröffentlicht', withdrawn: 'Zurückgezogen' },
    kinds: { image: 'Bild', video: 'Video', audio: 'Audio' },
    kindText: 'Die Art bestimmt, welche Vorschauen der Artikel hat. Sie können die Art später nicht ändern.',
    created: 'Entwurf angelegt.',
    newText: 'Der Artikel ist zunächst ein Entwurf. Veröffentlichen Sie ihn, wenn er vollständig ist.',
    createDraft: 'Entwurf anlegen',
    fields: {
      description: 'Beschreibung',
      category: 'Kategorie',
      subCategory: 'Unterkategorie',
      tags: 'Schlagwörter',
      options: 'Optionen',
      listHint: 'Jeden Eintrag mit Enter bestätigen',
      demo: 'Demo-Link',
      external: 'Ihre eigene ID',
      externalText: 'Importe finden den Artikel anhand dieser ID.',
      regular: 'Regulärer Preis',
      extended: 'Erweiterter Preis',
      regularText: 'Leer oder 0: Der Artikel ist kostenlos.',
      extendedText: 'Leer oder 0: Es wird keine Extended-Lizenz verkauft.',
      currency: 'Währung',
      thumbnail: 'Adresse des Miniaturbilds',
      previewImage: 'Adresse des Vorschaubilds',
      previewVideo: 'Adresse des Vorschauvideos',
      previewAudio: 'Adresse der Hörprobe',
      screenshots: 'Adressen der Bildschirmfotos',
    },
    details: 'Einzelheiten',
    prices: 'Preise',
    media: 'Medien',
    mediaText:
      'Laden Sie Dateien hoch, oder geben Sie Adressen von Dateien auf einem anderen Server ein. Um eine ' +
      'Datei zu entfernen, leeren Sie ihr Feld und speichern Sie.',
    mediaNewText:
      'Adressen von Dateien auf Ihrem Server. Sobald der Entwurf angelegt ist, können Sie Dateien hochladen.',
    mediaUpload: {
      choose: 'Hochladen',
      chooseMany: 'Dateien hochladen',
      progress: (label) => `Fortschritt: ${label}`,
      hints: {
        image: 'JPEG, PNG oder WebP. Sie können die Datei auch hierher ziehen.',
        audio: 'MP3, WAV oder M4A. Sie können die Datei auch hierher ziehen.',
        video: 'MP4. Sie können die Datei auch hierher ziehen.',
      },
      uploaded: 'Datei hochgeladen. Der Artikel zeigt sie jetzt.',
      oneFile: 'In dieses Feld gehört eine Datei. Wählen Sie eine aus.',
      broken:
        'Die Verbindung ist beim Hochladen abgebrochen. Versuchen Sie es noch einmal. Vielleicht ist die ' +
        'Datei zu groß.',
      wrongType: {
        image:
          'Diese Datei ist kein Bild im Format JPEG, PNG oder WebP. Exportieren Sie das Bild in einem davon.',
        audio:
          'Diese Datei hat nicht das Format MP3, WAV oder M4A. Exportieren Sie die Aufnahme in einem davon.',
        video: 'Diese Datei ist kein MP4-Video. Exportieren Sie das Video als MP4.',
      },
      damaged:
        'Die Datei ist unvollständig oder beschädigt. Öffnen Sie sie auf Ihrem Gerät und ' +
        'exportieren Sie sie noch einmal.',
      tooManyPixels: (millions, side) =>
        `Das Bild hat zu viele Pixel (maximal ${millions === 1 ? '1 Million' : `${millions} Millionen`}) ` +
        `oder eine Seite, die länger als ${side} px ist. ` +
        'Verkleinern Sie es.',
      tooLarge: 'Die Datei ist zu groß. Exportieren Sie eine kleinere.',
      largerThan: (size) => `Die Datei ist größer als ${size}. Exportieren Sie eine kleinere.`,
      empty: 'Die Datei ist leer. Wählen Sie eine andere aus.',
      full: {
        item: 'Für die Dateien dieses Artikels ist kein Platz mehr. Entfernen Sie zuerst eine Datei.',
        workspace: 'Für die Dateien Ihrer Artikel ist kein Platz mehr. Entfernen Sie zuerst Dateien.',
        screenshots: 'Der Artikel hat die Höchstzahl an Bildschirmfotos. Entfernen Sie zuerst eines.',
      },
    },
    preview: 'Vorschau',
    noMedia: 'Noch keine Vorschauen',
    publish: 'Veröffentlichen',
    published: 'Veröffentlicht. Die API listet den Artikel jetzt auf.',
    notPublished: 'Nicht veröffentlicht',
    incomplete: 'Füllen Sie zuerst diese Felder aus und speichern Sie:',
    withdraw: 'Zurückziehen',
    withdrawTitle: 'Diesen Artikel zurückziehen?',
    withdrawText: 'Die API listet den Artikel ab sofort nicht mehr auf. Verkaufte Codes bleiben gültig.',
    withdrawn: 'Zurückgezogen.',
    waiting: (codes) =>
      codes === 1
        ? '1 verkaufter Code ist erst gültig, wenn Sie diesen Artikel veröffentlichen.'
        : `${codes} verkaufte Codes sind erst gültig, wenn Sie diesen Artikel veröffentlichen.`,
    versions: 'Versionen',
    versionsText: 'Neueste zuerst. Käufer laden die neueste stabile Version mit Datei herunter.',
    addVersion: 'Version hinzufügen',
    versionHint: 'Zum Beispiel 1.4.0; muss neuer sein als die letzte Version',
    notes: 'Änderungen',
    channel: 'Kanal',
    channels: { stable: 'Stabil', beta: 'Vorabversion' },
    promote: 'Als stabil freigeben',
    promoteVersion: (version) => `Als stabil freigeben: ${version}`,
    promoteTitle: (version) => `${version} als stabil freigeben?`,
    promoteText: 'Danach wird die Version allen Käufern angeboten, deren Kauf diese Version umfasst.',
    promoted: 'Die Version ist stabil.',
    needsText:
      'Nur für WordPress: Die Update-Prüfung zeigt die folgenden Versionen an. ' +
      'Lassen Sie ein Feld leer, wenn Sie die Version nicht kennen.',
    requires: 'Älteste unterstützte WordPress-Version',
    tested: 'Neueste getestete WordPress-Version',
    requiresPhp: 'Älteste unterstützte PHP-Version',
    needs: {
      requires: (version) => `WordPress ${version} oder neuer`,
      tested: (version) => `getestet mit WordPress ${version}`,
      php: (version) => `PHP ${version} oder neuer`,
    },
    usedBy: (purchases) =>
      purchases === 1 ? 'In 1 aktiven Kauf genutzt' : `In ${purchases} aktiven Käufen genutzt`,
    upload: 'Hochladen',
    fileOf: (version) => `: Datei von ${version}`,
    replace: 'Ersetzen',
    uploaded: 'Datei hochgeladen.',
    added: 'Version hinzugefügt.',
    missing: 'Noch keine Datei',
    screenshot: (number) => `Bildschirmfoto ${number}`,
    thumbnail: 'Miniaturbild',
    notShown: (label) => `${label}: konnte nicht geladen werden`,
    previewOf: (name) => `Vorschau von ${name}`,
    soldAs: (id) => `Artikel ${id}`,
    purchases: 'Käufe dieses Artikels',
  },
  purchases: {
    text: 'Jeder verkaufte Code mit Käufer und Status.',
    code: 'Vollständiger Kaufcode',
    buyer: 'E-Mail des Käufers',
    buyerSearch: 'Name oder E-Mail des Käufers',
    hostSearch: 'Genauer Hostname',
    state: 'Status',
    states: {
      active: 'Aktiv',
      refunded: 'Erstattet',
      cancelled: 'Storniert',
      disputed: 'Strittig',
    },
    none: 'Noch keine Käufe',
    noneText:
      'Erfassen Sie einen Kauf hier oder über die API (Recht purchases:write), ' +
      'oder importieren Sie eine Datei.',
    issue: 'Kauf erfassen',
    import: 'Importieren',
    export: 'Exportieren',
    exportMasked: 'CSV, Codes verdeckt',
    exportCodes: 'CSV mit vollständigen Codes',
    exportJson: 'NDJSON, Codes verdeckt',
    columns: {
      code: 'Code',
      item: 'Artikel',
      buyer: 'Käufer',
      price: 'Bezahlt',
      state: 'Status',
      date: 'Verkauft',
    },
    find: 'Suchen',
    notFound: 'Keiner Ihrer Käufe hat diesen Code.',
    license: 'Lizenz',
    price: 'Bezahlter Preis',
    priceHint: 'Leer: der Preis des Artikels',
    buyerName: 'Name des Käufers',
    ownCode: 'Eigener Code',
    ownCodeHint: 'Leer: Der Code wird erzeugt',
    supportHint: 'Leer: die Dauer aus den Einstellungen des Arbeitsbereichs.',
    issued: 'Kauf erfasst',
    issuedText: 'Geben Sie diesen Code dem Käufer.',
    issueDo: 'Erfassen',
    chooseItem: 'Artikel wählen',
    openIt: 'Kauf öffnen',
  },
  pools: {
    text: 'Codes, die es vor ihrem Verkauf gibt. Ein Code ist erst gültig, wenn er ausgegeben wurde.',
    poolText: 'Ein Code dieses Pools ist erst gültig, wenn er ausgegeben wurde.',
    none: 'Noch keine Pools',
    noneText: 'Erstellen Sie einen Pool, um Codes im Voraus zu erzeugen oder eigene Codes hinzuzufügen.',
    create: 'Pool erstellen',
    created: 'Pool erstellt.',
    name: 'Name',
    nameText: 'Für Sie und Ihr Team. Käufer sehen den Namen nicht.',
    free: 'Frei',
    assigned: 'Ausgegeben',
    withdrawn: 'Zurückgezogen',
    low: 'Nur noch wenige Codes',
    price: 'Preis der Käufe',
    months: 'Support in Monaten',
    monthsHint: 'Wie in den Einstellungen des Arbeitsbereichs',
    supportFor: (months: number) => (months === 1 ? '1 Monat' : `${months} Monate`),
    threshold: 'Melden bei weniger freien Codes als',
    thresholdText:
      'Die Inhaber erhalten eine E-Mail, und Webhooks erhalten das Ereignis pool.low_stock. ' +
      '0 heißt: keine Meldung.',
    settings: 'Name und Meldung',
    terms: 'Bedingungen',
    termsText: 'Jeder ausgegebene Code wird ein Kauf mit diesen Bedingungen.',
    generate: 'Codes erzeugen',
    generateText: 'Ein Artikel kann in allen seinen Pools zusammen 100.000 freie Codes haben.',
    count: 'Anzahl der Codes',
    progress: 'Fortschritt der Erzeugung',
    done: (count: string) => `Bisher erzeugt: ${count}`,
    generated: 'Codes erzeugt.',
    import: 'Eigene Codes hinzufügen',
    importText: 'Codes, die es schon gibt, werden abgelehnt. Jeder Code hat 1 bis 128 Zeichen.',
    codes: 'Codes, einer pro Zeile',
    added: (count: number) =>
      count === 1 ? '1 Code wurde hinzugefügt.' : `${count} Codes wurden hinzugefügt.`,
    refused: (count: number) =>
      count === 1 ? '1 Code wurde abgelehnt.' : `${count} Codes wurden abgelehnt.`,
    refusedCodes: 'Abgelehnte Codes',
    line: 'Zeile',
    code: 'Code',
    reason: 'Grund',
    inPool: (pool: string) => `Ist oder war im Pool „${pool}“`,
    reasons: {
      malformed: 'Nicht 1 bis 128 druckbare Zeichen',
      repeated: 'Steht mehrfach in dieser Liste',
      of_purchase: 'Gehört zu einem Kauf',
      replaced: 'Gehörte zu einem Kauf und wurde ersetzt',
    },
    draw: 'Code ausgeben',
    drawText: 'Der nächste freie Code wird ein Kauf und ist sofort gültig.',
    export: 'Freie Codes exportieren',
    withdraw: 'Freie Codes zurückziehen',
    withdrawText: 'Für Codes, die bekannt wurden. Ausgegebene Codes bleiben gültig.',
    withdrawConfirm: (count: number) =>
      count === 1
        ? 'Ein freier Code wird endgültig zurückgezogen und kann nicht wieder hinzugefügt werden.'
        : `${count} freie Codes werden endgültig zurückgezogen und können nicht wieder hinzugefügt werden.`,
    withdrawnNow: 'Freie Codes zurückgezogen.',
  },
  purchase: {
    code: 'Kaufcode',
    sold: 'Verkauft',
    downloaded: 'Heruntergeladen',
    notYet: 'Noch nicht',
    support: 'Support bis',
    noSupport: 'Keiner',
    buyer: 'Käufer',
    actions: 'Status ändern',
    actionsText: 'Nur der Code eines aktiven Kaufs ist gültig.',
    refund: 'Erstatten',
    refundText: 'Der Code wird sofort und endgültig ungültig. Es wird dadurch kein Geld zurückgezahlt.',
    cancel: 'Kauf stornieren',
    cancelText: 'Der Code wird sofort und endgültig ungültig.',
    dispute: 'Als Streitfall markieren',
    disputeText: 'Der Code ist ungültig, bis Sie den Streitfall gewinnen.',
    won: 'Streitfall gewonnen',
    wonText: 'Der Code wird wieder gültig.',
    doneState: 'Status geändert.',
    extend: 'Support verlängern',
    extendText: 'Support lässt sich verlängern, aber nicht verkürzen.',
    extended: 'Support verlängert.',
    final: 'Dieser Status ist endgültig und lässt sich nicht ändern.',
    link: 'Download-Link',
    linkText: 'Ein Link für den Käufer. Er gilt einen Tag und erfordert kein Passwort.',
    makeLink: 'Download-Link erstellen',
    reissue: 'Code ersetzen',
    reissueText:
      'Ersetzen Sie den Code, wenn er in falsche Hände geraten ist. ' +
      'Der alte Code gilt dann sofort nicht mehr; geben Sie dem Käufer den neuen.',
    reissueConfirm: 'Der alte Code gilt dann nirgends mehr. Websites, die ihn nutzen, brauchen den neuen.',
    reissued: 'Code ersetzt.',
    correct: 'Käufer berichtigen',
    correctText: 'Das Änderungsprotokoll enthält die Berichtigung, aber weder Name noch E-Mail.',
    corrected: 'Käufer berichtigt.',
  },
  abuse: {
    text:
      'Anzeichen dafür, dass ein Code weitergegeben wurde oder jemand Codes errät. ' +
      'Nicht jeder Eintrag ist Missbrauch.',
    hosts: 'Käufe auf vielen Hosts',
    hostsText: (count: number) =>
      `Käufe mit ${count} oder mehr Hosts und Geräten in 30 Tagen. Abgelehnte Hosts zählen mit.`,
    hostsNone: 'Kein Kauf ist auf so vielen Hosts',
    leastHosts: 'Hosts: mindestens',
    hostCount: 'Hosts und Geräte',
    refusedCount: 'Abgelehnt',
    last: 'Zuletzt gesehen',
    callers: 'Aufrufer mit vielen abgelehnten Codes',
    callersText: (count: number) =>
      `IP-Adressen, die in den letzten 24 Stunden innerhalb einer Stunde ${count} oder mehr abgelehnte ` +
      'Codes gesendet haben.',
    callersNone: 'Kein Aufrufer hatte so viele abgelehnte Codes',
    leastFailures: 'Codes: mindestens',
    peak: 'Abgelehnt in der Spitzenstunde',
    failures: 'Abgelehnt in 24 Stunden',
    codes: 'Verschiedene Codes',
    blocked: 'Gesperrte Käufe',
    blockedText: 'Der Code eines gesperrten Kaufs ist ungültig, und seine Offline-Lizenzen sind widerrufen.',
    blockedNone: 'Kein Kauf ist gesperrt',
    since: 'Gesperrt am',
    badge: 'Gesperrt',
    block: 'Sperren',
    blockText:
      'Der Code wird sofort ungültig. Sie können den Kauf später entsperren. Wenn Sie den Code ersetzen, ' +
      'bleibt die Sperre bestehen.',
    unblock: 'Entsperren',
    unblockText:
      'Der Code ist ungültig, solange der Kauf gesperrt ist. ' +
      'Nach dem Entsperren ist der Code gültig, wenn der Kauf den Status „Aktiv“ hat.',
    blockedDone: 'Kauf gesperrt.',
    unblocked: 'Kauf entsperrt.',
  },
  activations: {
    title: 'In Gebrauch auf',
    text:
      'Hosts und Rechner, die den Code aktiviert haben. ' +
      'Lokale Hosts und Testhosts zählen nicht zur Obergrenze.',
    none: 'Der Code wurde noch nicht aktiviert.',
    target: 'Host oder Rechner',
    seen: 'Zuletzt gesehen',
    release: 'Freigeben',
    releaseOf: (target) => `${target} freigeben?`,
    releaseText:
      'Ein anderer Host kann dann sofort aktiviert werden. ' +
      'Diese Freigabe zählt nicht als Umzug auf einen anderen Host.',
    released: 'Freigegeben.',
    nameless: 'Gelöscht',
    erasedHost: 'Gelöschten Host',
    free: 'Zählt nicht',
    more: (count) => `Nur die neuesten Aktivierungen werden angezeigt (${count}).`,
    states: { active: 'Aktiv', released: 'Freigegeben', ended: 'Beendet' },
  },
  activationLimits: {
    title: 'Hosts je Lizenz',
    textAll:
      'Die Zahl der Hosts, auf denen ein Kauf gleichzeitig genutzt werden darf, ' +
      'und die Zahl der Umzüge auf andere Hosts. ' +
      'Artikel können eigene Grenzen haben.',
    textItem: 'Für leere Felder gelten die Grenzen des Arbeitsbereichs.',
    regular: 'Regular-Lizenz',
    extended: 'Extended-Lizenz',
    moves: 'Umzüge in 30 Tagen',
    submit: 'Grenzen festlegen',
  },
  licences: {
    text:
      'Signierte Lizenzen, die Ihre Software ohne Anfrage an diesen Dienst prüfen kann, ' +
      'und die Schlüssel, mit denen die Lizenzen signiert werden.',
    list: 'Signaturschlüssel',
    none: 'Kein Signaturschlüssel',
    noneText:
      'Erstellen Sie einen Schlüssel, um Offline-Lizenzen auszustellen und Antworten der API zu signieren.',
    create: 'Signaturschlüssel erstellen',
    createText:
      'Der private Schlüssel verlässt den Dienst nie. Liefern Sie den öffentlichen mit Ihrer Software aus.',
    created: 'Signaturschlüssel erstellt.',
    rotate: 'Ersetzen',
    rotateText:
      'Ein neuer Schlüssel ersetzt den jetzigen. ' +
      'Software, die den neuen Schlüssel nicht kennt, lehnt Lizenzen und Antworten ab, ' +
      'die mit dem neuen Schlüssel signiert sind.',
    notice: 'Vorlauf in Tagen',
    noticeText:
      'So lange ist der neue Schlüssel öffentlich, bevor er signiert. ' +
      'In dieser Zeit kann Ihre Software ihn laden.',
    overlap: 'Übergang in Tagen',
    overlapText:
      'So lange bleibt der alte Schlüssel öffentlich. ' +
      'Bei 0 enden alle Lizenzen, die der alte Schlüssel signiert hat.',
    rotated: 'Signaturschlüssel ersetzt.',
    kid: 'Schlüssel',
    signsFrom: 'Signiert ab',
    publishedUntil: 'Öffentlich bis',
    untilRotation: 'Zum nächsten Wechsel',
    addresses: 'Öffentliche Adressen',
    addressesText:
      'Ihre Software braucht die öffentlichen Schlüssel. ' +
      'Die Widerrufsliste nennt Lizenzen, die nicht mehr gültig sind.',
    jwks: 'Öffentliche Schlüssel (JWK Set)',
    revocations: 'Widerrufsliste',
    states: { next: 'Nächster', current: 'Signiert', retiring: 'Noch öffentlich', retired: 'Abgelöst' },
  },
  licenceTerms: {
    title: 'Bedingungen der Offline-Lizenzen',
    textAll:
      'Diese Bedingungen gelten für Lizenzen, die ab jetzt ausgestellt werden. ' +
      'Artikel können eigene Bedingungen haben.',
    textItem: 'Für leere Felder gelten die Bedingungen des Arbeitsbereichs.',
    valid_days: 'Gültig (Tage)',
    grace_days: 'Nachfrist (Tage)',
    term_months: 'Endet nach (Monate, 0 nie)',
    updates: 'Aktualisierungen',
    windows: { support: 'Bis zum Ende des Supports', always: 'Alle Versionen' },
    submit: 'Bedingungen festlegen',
  },
  import: {
    text:
      'Importieren Sie Verkäufe aus einer CSV- oder NDJSON-Datei. ' +
      'Vorhandene Verkäufe bleiben standardmäßig unverändert.',
    choose: 'Datei wählen',
    file: 'Datei',
    fields: 'Spalten zuordnen',
    fieldsText: 'Bekannte Spaltennamen werden automatisch zugeordnet. Ordnen Sie die übrigen selbst zu.',
    field: 'Feld',
    column: 'Spalte in der Datei',
    notInFile: 'Nicht in der Datei',
    example: 'Erste Zeile',
    update: 'Abweichungen überschreiben',
    updateText:
      'Wenn ausgeschaltet, wird eine Zeile, die vom gespeicherten Verkauf abweicht, als Konflikt ' +
      'gemeldet, und nichts wird überschrieben.',
    dryRun: 'Testlauf',
    dryRunText: 'Ein Testlauf prüft jede Zeile und ändert nichts.',
    uploading: 'Die Datei wird hochgeladen',
    working: (rows) => (rows === '1' ? '1 Zeile gelesen' : `${rows} Zeilen gelesen`),
    progress: 'Fortschritt des Imports',
    trial: 'Testlauf beendet. Es wurde nichts geändert.',
    done: 'Import beendet',
    failed: 'Import abgebrochen',
    again: 'Sie können dieselbe Datei erneut importieren: Importierte Zeilen werden an ihrem Code erkannt.',
    counts: {
      read: 'Zeilen',
      inserted: 'Neu',
      updated: 'Aktualisiert',
      unchanged: 'Unverändert',
      conflicts: 'Konflikte',
      invalid: 'Ungültig',
    },
    report: 'Zeilen mit Problemen',
    reportAll: 'Keine Probleme gefunden.',
    reportSome: (shown, all) => `Angezeigte Probleme: ${shown} von ${all}.`,
    line: 'Zeile',
    reason: 'Fehler',
    saveReport: 'Bericht speichern',
    unknown: 'Aus diesen Spalten wurde kein Feld gelesen',
    moreUnknown: (count) => `… und ${count} weitere ${count === 1 ? 'Spalte' : 'Spalten'}`,
    noHeading: (position) => `Spalte ${position}, die keine Überschrift hat`,
    second: (column, field) => `${column} ist eine zweite Spalte für ${field}`,
    noName: 'Ein Feld ohne Namen',
    meant: (column, nearest) => `${column}: Meinten Sie ${nearest}?`,
    wrongKind: 'Die Datei muss auf .csv, .ndjson oder .jsonl enden.',
    preset: 'Exportiert aus',
    presetText:
      'Die Spaltennamen von Gumroad und Envato wurden nicht mit einem echten Export geprüft. ' +
      'Machen Sie zuerst einen Testlauf.',
    presets: [
      { value: '', label: 'Sonstiges: Ich ordne die Spalten selbst zu' },
      { value: 'gumroad', label: 'Gumroad, ungeprüft' },
      { value: 'envato', label: 'Envato, ungeprüft' },
    ],
  },
  check: {
    text:
      'Zeigt, wie die API einen Aufruf mit diesem Code beantwortet. Sie brauchen dafür keinen Schlüssel, ' +
      'und die Prüfung erscheint weder im Anfrageprotokoll noch in der Übersicht.',
    as: 'Antwort auf einen Aufruf mit',
    asSecret: 'Einem geheimen Schlüssel',
    asPublishable: 'Einem öffentlichen Schlüssel eines Artikels',
    submit: 'Prüfen',
    verdict: {
      valid: 'Gültig',
      invalid: 'Nicht gültig',
    },
    reasons: {
      valid: 'Der Kauf ist aktiv. Plug-ins akzeptieren diesen Code.',
      purchase_not_found:
        'Die API findet keinen Kauf mit diesem Code. ' +
        'Vielleicht enthält der Code einen Tippfehler oder gehört zu einem anderen Verkäufer. ' +
        'Mit einem öffentlichen Schlüssel findet die API nur Codes des Artikels, für den der Schlüssel gilt.',
      purchase_refunded: 'Der Kauf wurde erstattet.',
      purchase_cancelled: 'Der Kauf wurde storniert, oder Sie haben ihn gesperrt.',
      purchase_disputed: 'Die Zahlung für diesen Kauf ist strittig.',
      not_a_seller: 'Dieses Konto darf nicht verkaufen: Der Verkauf ist ausgeschaltet.',
      invalid_parameter: 'Ein Code hat 1 bis 128 druckbare Zeichen.',
    },
    answer: (status) => `Antwort, HTTP ${status}`,
    call: 'Aufruf aus Ihrem Code',
    callText: 'Die Beispiele enthalten einen Platzhalter, bis Sie Ihren Schlüssel einsetzen.',
    fill: 'Schlüssel einsetzen',
    fillLabel: 'Schlüssel in die Beispiele einsetzen',
    whichKey: 'Welcher Schlüssel?',
    noKeys: 'Erzeugen Sie zuerst einen API-Schlüssel.',
    warning: 'Die Beispiele enthalten jetzt einen echten Schlüssel. Verwenden Sie sie nur auf einem Server.',
  },
  requests: {
    text: 'Aufrufe mit Ihren Schlüsseln. Schlüssel und vollständige Codes werden nie gespeichert.',
    when: 'Wann',
    call: 'Aufruf',
    status: 'Antwort',
    reason: 'Grund',
    code: 'Code',
    key: 'Schlüssel',
    from: 'Adresse',
    took: 'Dauer',
    none: 'Noch keine Aufrufe',
    noneText: 'Jeder Aufruf mit einem Ihrer Schlüssel erscheint hier nach etwa einer Sekunde.',
    classes: {
      '2xx': 'Erfolg (2xx)',
      '4xx': 'Abgelehnt (4xx)',
      '5xx': 'Serverfehler (5xx)',
    },
    pages: 'Geheimer Schlüssel in einer Webseite',
    onlyPages: 'Nur geheime Schlüssel in Webseiten',
    onPage: 'Geheimer Schlüssel in Seite',
    milliseconds: (ms) => `${ms} ms`,
    success: 'Erfolg',
    reasons: {
      api_key_revoked: 'Schlüssel widerrufen',
      api_key_expired: 'Schlüssel abgelaufen',
      insufficient_scope: 'Dem Schlüssel fehlt ein Recht',
      not_a_seller: 'Konto darf nicht verkaufen',
      invalid_parameter: 'Parameter fehlt oder ist fehlerhaft',
      invalid_body: 'Inhalt nicht lesbar',
      no_items: 'Kein veröffentlichter Artikel',
      item_not_found: 'Artikel unbekannt',
      purchase_not_found: 'Code unbekannt',
      purchase_refunded: 'Kauf erstattet',
      purchase_cancelled: 'Kauf storniert oder gesperrt',
      purchase_disputed: 'Kauf strittig',
      rate_limited: 'Zu viele Fehlversuche',
    },
  },
  keys: {
    text:
      'Programme senden bei jedem Aufruf einen Schlüssel. Geheime Schlüssel gehören auf einen Server; ' +
      'liefern Sie nur öffentliche Schlüssel aus.',
    generate: 'Schlüssel erzeugen',
    none: 'Noch kein API-Schlüssel',
    noneText: 'Erzeugen Sie einen Schlüssel und speichern Sie ihn auf Ihrem Server.',
    name: 'Name',
    nameHint: 'Das Programm, das den Schlüssel verwendet, zum Beispiel „Website“',
    kind: 'Art',
    secret: 'Geheim',
    secretText:
      'Für Ihre eigenen Server. Ein geheimer Schlüssel kann Ihr Konto lesen; ' +
      'liefern Sie ihn nie mit einem Produkt aus.',
    publishable: 'Öffentlich',
    test: 'Testschlüssel',
    testText:
      'Arbeitet mit Testartikeln statt mit Ihren Daten. Für jede mögliche Antwort gibt es einen Testcode.',
    testItem: 'Der erste Testartikel',
    publishableText:
      'Für Installationen bei Ihren Käufern. ' +
      'Ein öffentlicher Schlüssel prüft und aktiviert Codes eines Artikels.',
    scopes: 'Rechte',
    scopeNames: {
      'account:read': 'Konto lesen',
      'items:read': 'Artikel lesen',
      'purchases:validate': 'Codes prüfen',
      'items:write': 'Artikel verwalten',
      'purchases:write': 'Käufe verwalten',
      'activations:read': 'Aktivierungen auflisten',
      'activations:write': 'Aktivieren und freigeben',
    },
    expiry: 'Läuft ab am',
    expiryHint: 'Leer: läuft nie ab',
    made: 'Schlüssel erzeugt',
    madeText:
      'Kopieren Sie den Schlüssel jetzt in das Programm, das ihn verwendet. ' +
      'Mit Ihrem Passwort können Sie ihn später hier wieder abrufen.',
    retrieve: 'Abrufen',
    retrieveOf: (name) => `Schlüssel „${name}“ abrufen`,
    rotate: 'Erneuern',
    rotateTitle: (name) => `„${name}“ erneuern`,
    rotateText:
      'Erzeugt einen neuen Schlüssel. ' +
      'Der alte gilt in der Übergangszeit weiter, damit Ihre Programme beim Austauschen nicht ausfallen.',
    overlap: 'Alten Schlüssel behalten für',
    rotated: 'Neuer Schlüssel',
    rotatedText:
      'Ersetzen Sie den alten Schlüssel überall. ' +
      'Diese Seite zeigt, wann kein Programm ihn mehr benutzt. Widerrufen Sie ihn dann.',
    revoke: 'Widerrufen',
    revokeTitle: (name, hint) => `„${name}“ (${hint}) widerrufen?`,
    revokeText:
      'Aufrufe mit diesem Schlüssel werden nach höchstens fünf Sekunden abgelehnt. ' +
      'Das lässt sich nicht rückgängig machen.',
    revoked: 'Schlüssel widerrufen.',
    states: { active: 'Aktiv', expired: 'Abgelaufen', revoked: 'Widerrufen' },
    replaced: 'Ersetzt',
    lastUsed: 'Zuletzt benutzt',
    onPage: (origin, at) =>
      `Eine Webseite von ${origin} hat diesen geheimen Schlüssel gesendet (zuletzt: ${at}). ` +
      'Besucher der Seite können den Schlüssel lesen. ' +
      'Verwenden Sie auf der Seite einen öffentlichen Schlüssel, und erneuern Sie dann diesen Schlüssel.',
    onHiddenPage: (at) =>
      `Eine Webseite, die ihre Adresse verbirgt, hat diesen geheimen Schlüssel gesendet (zuletzt: ${at}). ` +
      'Besucher der Seite können den Schlüssel lesen. ' +
      'Verwenden Sie auf der Seite einen öffentlichen Schlüssel, und erneuern Sie dann diesen Schlüssel.',
    hiddenPage: 'Die Seite verbirgt ihre Adresse.',
    neverUsed: 'Nie benutzt',
    usedFrom: (address) => `von ${address}`,
    expires: 'Läuft ab',
    endsIn: 'Endet',
    actions: 'Aktionen',
    more: (name) => `Weitere Aktionen für „${name}“`,
    rename: 'Name oder Ablauf ändern',
    legacy: 'Für alte Plug-ins',
    legacyText: 'Antworten enthalten den Kauf auch als „item“, und Ablehnungen haben den HTTP-Status 200.',
    meter: 'Ersetzte Schlüssel, die noch gelten',
    meterText: 'Widerrufen Sie einen ersetzten Schlüssel, wenn ihn kein Programm mehr benutzt.',
    safe: 'Kann widerrufen werden',
    safeText: 'Seit einer Stunde nicht benutzt.',
    wait: 'Noch in Gebrauch',
    waitText: 'Ein Programm benutzt noch den alten Schlüssel. Ersetzen Sie ihn zuerst in diesem Programm.',
    unusedText: 'Seit der Erneuerung wurde kein Aufruf mit dem alten Schlüssel erfasst.',
    replacedBy: (name) => `Ersetzt durch „${name}“`,
    ended: 'Abgelaufene und widerrufene Schlüssel zeigen',
    list: 'API-Schlüssel',
  },
  webhooks: {
    text:
      'Sendet Ihren Systemen signierte Ereignisse über Verkäufe, Aktivierungen und Schlüssel: ' +
      'in der richtigen Reihenfolge und mindestens einmal.',
    noneText:
      'Fügen Sie eine Adresse hinzu. Sie wird benachrichtigt, wenn ein Kauf erfasst, erstattet ' +
      'oder angefochten wird, ' +
      'wenn Support bald endet, wenn eine Lizenz aktiviert wird und wenn ein Schlüssel erneuert wird.',
    events: {
      'purchase.issued':
        'Ein Verkauf wurde erfasst und hat einen Code. Importierte Verkäufe senden kein Ereignis.',
      'purchase.refunded': 'Ein Kauf wurde erstattet. Sein Code ist nicht mehr gültig.',
      'purchase.cancelled': 'Ein Kauf wurde storniert. Sein Code ist nicht mehr gültig.',
      'purchase.disputed':
        'Eine Zahlung ist strittig. Der Code ist ungültig, bis der Streitfall gewonnen ist.',
      'purchase.dispute_won': 'Ein Streitfall wurde gewonnen. Der Code ist wieder gültig.',
      'purchase.blocked':
        'Sie haben einen Kauf gesperrt. Sein Code ist ungültig, bis Sie den Kauf entsperren.',
      'purchase.unblocked': 'Sie haben einen Kauf entsperrt.',
      'purchase.reissued': 'Der Code eines Kaufs wurde ersetzt. Der alte Code ist nicht mehr gültig.',
      'purchase.support_ending': 'Der Support eines aktiven Kaufs endet in höchstens sieben Tagen.',
      'activation.created': 'Ein Host oder Gerät hat einen Kauf aktiviert und belegt einen Platz.',
      'activation.released': 'Ein Platz wurde freigegeben, vom Host oder von Ihnen.',
      'activation.refused': 'Ein Host oder Gerät bekam keinen Platz. Höchstens ein Ereignis je Host und Tag.',
      'pool.low_stock': 'Ein Pool hat nur noch wenige Codes. Wird einmal gesendet, bis Codes hinzukommen.',
      'key.rotated': 'Ein API-Schlüssel wurde durch einen neuen ersetzt.',
    },
  },
  workspaceSettings: {
    text: 'Der Name des Arbeitsbereichs, Support und Ihr öffentliches Profil.',
    general: 'Allgemein',
    name: 'Name',
    support: 'Ende des Supports ausgeben',
    supportText: 'Wenn eingeschaltet, liefert eine Prüfung supported_until für Käufe mit Support.',
    months: 'Support in Monaten (Standard)',
    monthsText: 'Gilt für Verkäufe ohne eigenes Support-Ende. 0 heißt ohne Support; höchstens 120.',
    mail: 'E-Mail an Käufer vor dem Ende des Supports',
    mailText:
      'Einmal je Kauf, in den sieben Tagen vor dem Ende, wenn der Kauf eine E-Mail-Adresse hat. ' +
      'Jede Nachricht enthält einen Link zum Abbestellen. E-Mail und Support müssen eingeschaltet sein.',
    mailOff: 'Aus',
    mailEnglish: 'Auf Englisch',
    mailGerman: 'Auf Deutsch',
    vendors: 'Clients anderer Anbieter',
    vendorsText:
      'Software, die für einen anderen Anbieter geschrieben wurde, kann diesen Dienst aufrufen. ' +
      'Standardmäßig aus. ' +
      'Clients ohne API-Schlüssel brauchen eine Adresse, die einen öffentlichen Schlüssel enthält.',
    person: 'Öffentliches Profil',
    personText: 'Wird von GET /api/account/details geliefert.',
    firstname: 'Vorname',
    lastname: 'Nachname',
    username: 'Benutzername',
    email: 'E-Mail',
    heading: 'Überschrift',
    description: 'Über Sie',
    contact: 'Kontakt-E-Mail',
    avatar: 'Adresse des Profilbilds',
    cover: 'Adresse des Titelbilds',
    social: 'Soziale Netzwerke',
    socialText: 'Ein Netzwerk je Zeile: Name, Leerzeichen, Adresse.',
    socialWrong: 'Jede Zeile braucht einen Namen und eine Adresse.',
    balance: 'Kontostand',
    balanceText: 'Ein gespeicherter Betrag. Verkäufe ändern ihn nicht.',
    setBalance: 'Kontostand festlegen',
    amount: 'Betrag',
    balanceSet: 'Kontostand festgelegt.',
  },
};

export default german;
