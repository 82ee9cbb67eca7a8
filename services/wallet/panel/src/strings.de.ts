// The texts of the wallet panel, in German. The first page waits until this file is loaded, so this file
// imports no code.
import type { Words } from './strings.ts';

const plural = (count: number | string, one: string, many: string) =>
  String(count) === '1' ? `1 ${one}` : `${count} ${many}`;

const german: Words = {
  name: 'Wallet',
  package: 'Paket',
  platform: 'Plattform',
  administrators:
    'Administratoren geben Pakete frei, sperren sie, laden sie auf und überwachen den Anbieter.',
  sandboxOf: (name) => `${name} (Sandbox-Paket)`,
  save: 'Speichern',
  none: 'Keine',
  nothing: '–',
  never: 'Nie',
  groups: { money: 'Geld', settings: 'Einstellungen', people: 'Personen' },
  pages: {
    overview: 'Live-Ansicht',
    players: 'Spieler',
    player: 'Spieler',
    ledger: 'Buchungen',
    transactions: 'Transaktion prüfen',
    rounds: 'Runden',
    round: 'Runde',
    games: 'Spiele',
    callbacks: 'Callback-Protokoll',
    credit: 'Guthaben',
    proof: 'Nachweis',
    team: 'Team',
    audit: 'Änderungsprotokoll',
    credentials: 'Zugangsdaten',
    access: 'Zugriff',
    callbackSecurity: 'Callback-Sicherheit',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    providers: 'Anbieter',
    provider: 'Anbieter',
    adminPackages: 'Pakete',
    adminPackage: 'Paket',
    adminProvider: 'Anbieter',
    adminProofs: 'Nachweise',
    adminTokens: 'Zugriffstoken',
    adminMail: 'E-Mail',
    adminTeam: 'Administratoren',
    adminAudit: 'Änderungsprotokoll',
  },
  kinds: {
    credit: 'Gutschrift',
    debit: 'Belastung',
    top_up: 'Aufladung',
    top_up_reversal: 'Aufladung zurückgenommen',
    bet: 'Einsatz',
    win: 'Gewinn',
    bet_win: 'Einsatz und Gewinn',
    bet_of_bet_win: 'Einsatz (mit Gewinn)',
    win_of_bet_win: 'Gewinn (mit Einsatz)',
    rollback: 'Rückbuchung',
    win_reversal: 'Gewinn zurückgenommen',
    end_round: 'Runde beendet',
  },
  results: {
    applied: 'Gebucht',
    recorded: 'Erfasst, kein Geld bewegt',
    late: 'Später Gewinn',
    rolled_back: 'Zurückgebucht',
    already_rolled_back: 'Bereits zurückgebucht',
    tombstoned: 'Vor dem Einsatz eingetroffen',
    nothing_to_roll_back: 'Nichts zurückzubuchen',
    closed: 'Geschlossen',
    insufficient_funds: 'Kontostand zu niedrig',
    package_credit_exhausted: 'Kein Guthaben mehr',
    balance_limit: 'Kontostand über der Obergrenze',
  },
  refusals: {
    transaction_conflict: 'Die ID wurde bereits mit anderem Inhalt verwendet.',
    insufficient_funds: 'Der Kontostand war zu niedrig.',
    package_credit_exhausted: 'Das Paket hatte kein Guthaben mehr.',
    balance_limit: 'Der Kontostand hätte die Obergrenze überschritten.',
    bet_limit: 'Der Einsatz lag über der Grenze des Spielers oder des Pakets.',
    player_blocked: 'Der Spieler ist gesperrt.',
    player_not_found: 'Diesen Spieler gibt es nicht.',
    session_expired: 'Die Sitzung ist abgelaufen und nimmt keine Einsätze mehr an.',
    bet_not_found: 'Der genannte Einsatz ist unbekannt.',
    bet_rolled_back: 'Der Einsatz wurde zurückgebucht.',
    bet_refused: 'Der Einsatz wurde abgelehnt und kann daher nicht gewinnen.',
    bet_already_settled: 'Der Einsatz ist bereits abgerechnet und lässt sich nicht zurückbuchen.',
    round_closed: 'Die Runde ist geschlossen und nimmt keine Einsätze an.',
    not_a_bet: 'Der Verweis nennt einen Gewinn. Nur Einsätze lassen sich zurückbuchen.',
    invalid_amount:
      'Der Betrag ist keine Zahl, liegt außerhalb der Grenzen oder hat zu viele Nachkommastellen.',
    invalid_parameter: 'Ein Feld fehlt oder ist ungültig.',
    invalid_body: 'Der Inhalt ist nicht lesbar. Er muss ein JSON-Objekt sein.',
    currency_mismatch: 'Die Währung ist nicht die des Pakets.',
    reference_required: 'Der Verweis auf einen Einsatz fehlt.',
    package_suspended: 'Das Paket ist gesperrt.',
    package_not_approved: 'Das Paket ist nicht freigegeben.',
    address_not_allowed: 'Die Adresse steht nicht auf der Liste der erlaubten Adressen.',
    signature_invalid: 'Die Signatur oder die Verschlüsselung ist ungültig.',
    timestamp_out_of_range: 'Die Signatur ist zu alt oder liegt in der Zukunft.',
    outcome_unknown:
      'Die Datenbank hat nicht geantwortet. Senden Sie die Anfrage erneut, um das Ergebnis zu erfahren.',
    overloaded: 'Der Dienst war überlastet. Es wurde nichts gebucht.',
    unavailable: 'Die Datenbank war nicht erreichbar. Es wurde nichts gebucht.',
    internal_error: 'Der Dienst hatte einen Fehler. Es wurde nichts gebucht.',
  },
  callCodes: {
    player_not_found: 'Unbekannter Spieler',
    player_blocked: 'Spieler gesperrt',
    session_not_found: 'Unbekannte Sitzung',
    session_expired: 'Sitzung abgelaufen',
    insufficient_funds: 'Kontostand zu niedrig',
    balance_limit: 'Höchster Kontostand erreicht',
    bet_limit: 'Einsatz über der Grenze',
    bet_not_found: 'Unbekannter Einsatz',
    game_not_found: 'Unbekanntes Spiel',
    bet_rolled_back: 'Einsatz zurückgebucht',
    bet_refused: 'Einsatz wurde abgelehnt',
    bet_already_settled: 'Einsatz bereits abgerechnet',
    round_closed: 'Runde ist geschlossen',
    round_not_found: 'Unbekannte Runde',
    not_a_bet: 'Kein Einsatz',
    transaction_conflict: 'ID bereits verwendet',
    internal_error: 'Interner Fehler',
    overloaded: 'Dienst überlastet',
    unavailable: 'Datenbank nicht erreichbar',
    outcome_unknown: 'Ergebnis unbekannt',
    forged: 'Falsche Zugangsdaten',
    stale: 'Veraltet oder wiederholt',
    paused: 'Verbindung angehalten',
    too_large: 'Inhalt zu groß',
    not_found: 'Unbekannter Pfad',
    invalid_parameter: 'Ungültiger Inhalt',
    address_not_allowed: 'Adresse nicht erlaubt',
    malformed: 'Ungültiges HTTP',
    method_not_allowed: 'Falsche Methode',
    malformed_request: 'Ungültiges HTTP',
    uri_too_long: 'URL zu lang',
    headers_too_large: 'Header zu groß',
    unsupported_media_type: 'Falscher Inhaltstyp',
    expectation_failed: 'Unbekannter Expect-Header',
    request_timeout: 'Anfrage zu langsam',
    package_pending: 'Paket nicht freigegeben',
    package_suspended: 'Paket gesperrt',
  },
  failureReasons: {
    unreachable: 'Der Anbieter war nicht erreichbar.',
    timeout: 'Der Anbieter hat nicht rechtzeitig geantwortet.',
    breaker_open: 'Der Schutzschalter ist offen.',
    busy: 'Es liefen zu viele Anfragen.',
    redirected: 'Der Anbieter hat auf eine andere Adresse verwiesen.',
    not_authorised: 'Der Anbieter hat die Zugangsdaten nicht akzeptiert, oder sie sind unvollständig.',
    wrong_status: 'Der Anbieter hat mit einem Fehler geantwortet.',
    too_large: 'Die Antwort war zu groß.',
    not_json: 'Die Antwort war kein JSON.',
    wrong_shape: 'Die Antwort hatte nicht den erwarteten Inhalt.',
  },
  banner: {
    levels: {
      low: 'Das Guthaben ist niedrig.',
      critical: 'Das Guthaben ist fast aufgebraucht.',
      exhausted: 'Das Guthaben ist aufgebraucht. Spielern kann nichts gutgeschrieben werden.',
    },
    short: { low: 'Niedrig', critical: 'Kritisch', exhausted: 'Aufgebraucht' },
    left: (money) => `Noch ${money} übrig.`,
    hoursLeft: (time) => `Das Guthaben reicht bei gleichbleibendem Verbrauch noch etwa ${time}.`,
    hours: (hours) => plural(hours, 'Stunde', 'Stunden'),
    minutes: (minutes) => plural(minutes, 'Minute', 'Minuten'),
    days: (days) => plural(days, 'Tag', 'Tage'),
    noneLeft: 'Es ist kein Guthaben mehr vorhanden.',
    noRunway: 'In den letzten 24 Stunden ist das Guthaben nicht gesunken.',
    toCredit: 'Zum Guthaben',
    sandbox: 'Sandbox: kein echtes Geld.',
    pending: 'Wartet auf Freigabe.',
    pendingText: 'Ein Administrator muss das Paket freigeben, bevor Sie es nutzen können.',
    suspended: 'Gesperrt.',
    suspendedText:
      'Einsätze, Spielstarts, neue Spieler, Gutschriften und Belastungen werden abgelehnt. ' +
      'Gewinne, Rückbuchungen und Abfragen bleiben möglich.',
  },
  overview: {
    text: 'Aktuelle Vorgänge, Guthaben und die neuesten Buchungen.',
    toCredit: 'Aufladungen und Warnung',
    newest: 'Neueste Buchungen',
    toLedger: 'Zu den Buchungen',
  },
  live: {
    title: 'Die letzten fünf Minuten',
    text: 'Einsätze und Gewinne, laufend aktualisiert.',
    states: { waiting: 'Wird verbunden …', live: 'Verbunden', lost: 'Wird neu verbunden …' },
    bets: 'Einsätze',
    wins: 'Gewinne',
    revenue: 'Bruttospielertrag',
    afterGivenBack: (currency, amount) => `${currency}, ${amount} zurückgebucht`,
    answers: 'Antwortzeit',
    within: (ms) => `≤ ${ms} ms`,
    latency: (p50, p95) => `50 % innerhalb von ${p50} ms, 95 % innerhalb von ${p95} ms`,
    noAnswers: 'keine Aufrufe in der letzten Minute',
    queue: 'Wartende Vorgänge',
    movements: (count, refused) => `Buchungen: ${count}, abgelehnt: ${refused}`,
    none: 'Keine Aktivität',
    noneText: 'Einsätze und Gewinne erscheinen hier sofort. Öffnen Sie „Spiele“ und spielen Sie ein Spiel.',
    plotLabel: 'Einsätze und Gewinne der letzten fünf Minuten',
  },
  ledger: {
    text: 'Jede Buchung des Pakets, neueste zuerst, mit dem Kontostand danach.',
    export: 'CSV exportieren',
    sequence: 'Nr.',
    when: 'Wann',
    kind: 'Art',
    result: 'Ergebnis',
    transaction: 'Transaktion',
    change: 'Änderung',
    balance: 'Stand danach',
    ownCredit: 'Paketguthaben',
    playerFilter: 'Genaue Spieler-ID',
    gameFilter: 'Genaue Spiel-ID',
    from: 'Von',
    to: 'Bis',
    kindFilter: {
      bet: 'Einsätze',
      win: 'Gewinne',
      rollback: 'Rückbuchungen',
      end_round: 'Beendete Runden',
      credit: 'Gutschriften',
      debit: 'Belastungen',
      top_up: 'Aufladungen',
    },
    resultFilter: { moved: 'Geld bewegt', refused: 'Abgelehnt' },
    purse: 'Geldart',
    purseFilter: { cash: 'Bargeld', promo: 'Promo-Guthaben' },
    promo: 'Promo',
    shortfall: (amount) => `${amount} konnten nicht zurückgenommen werden`,
    none: 'Noch keine Buchungen',
    noneText: 'Die erste Aufladung, Gutschrift oder der erste Einsatz erscheint hier.',
  },
  totals: {
    sides: {
      players: 'Spieler',
      credit: 'Paketguthaben',
      house: 'Haus',
      issuance: 'Ausgegeben',
    },
    byKind: 'Summen nach Art',
    movements: (count) => `Buchungen: ${count}.`,
    zero: '„Spieler“, „Paketguthaben“, „Haus“ und „Ausgegeben“ ergeben zusammen null.',
    stretch: (opening, change, closing) =>
      `Anfangsstand ${opening}, Änderung ${change}, Endstand ${closing}.`,
    broken:
      'Anfangsstand und Änderung ergeben nicht den Endstand. ' +
      'Öffnen Sie „Nachweis“ und starten Sie einen Nachweis.',
    cut:
      'Es sind zu viele Buchungen, daher fehlen die ältesten in den Summen. ' +
      'Wählen Sie einen kürzeren Zeitraum.',
    shortfall: (amount) =>
      `${amount} aus zurückgenommenen Gewinnen konnten nicht von Spielern zurückgeholt werden.`,
    moved: 'Geld bewegt',
    notMoved: 'Kein Geld bewegt',
    amount: 'Betrag',
  },
  players: {
    text: 'Die Spieler dieses Pakets und ihre Kontostände.',
    search: 'Teil der ID oder des Namens',
    status: 'Status',
    balance: 'Kontostand',
    promoBalance: 'Promo-Guthaben',
    promoStatement: 'Promo-Guthaben: Buchungen',
    since: 'Seit',
    statuses: { active: 'Aktiv', blocked: 'Gesperrt' },
    none: 'Keine Spieler',
    noneText: 'Ihr System legt Spieler über die API an. Einen Testspieler können Sie hier anlegen.',
    create: 'Neuer Spieler',
    createText: 'Zum Testen. Ihr eigenes System legt Spieler über user/create an.',
    id: 'Spieler-ID',
    name: 'Name',
    about: 'Wallet',
    inLedger: 'In den Buchungen zeigen',
    block: 'Sperren',
    unblock: 'Entsperren',
    blocked: 'Spieler gesperrt.',
    unblocked: 'Spieler entsperrt.',
    blockText:
      'Einsätze und Spielstarts werden ab jetzt abgelehnt. ' +
      'Gewinne, Rückbuchungen und Abfragen bleiben möglich.',
    unblockText: 'Der Spieler kann wieder setzen und Spiele starten.',
    statement: 'Kontoauszug',
    noMovementsText: 'Gutschriften, Einsätze und Gewinne dieses Spielers erscheinen hier.',
    holds: (money) => `Kontostand: ${money}`,
  },
  verify: {
    title: 'Kontostand prüfen',
    run: 'Prüfen',
    text: 'Addiert alle Buchungen dieses Spielers im Journal und vergleicht die Summe mit dem Kontostand.',
    holds: (count) => `Der Kontostand stimmt: Er ist die Summe aus ${plural(count, 'Buchung', 'Buchungen')}.`,
    broken: (count) =>
      count === 0
        ? 'Der Kontostand weicht von der Summe der Buchungen ab.'
        : `${plural(count, 'Buchung schließt', 'Buchungen schließen')} nicht an den vorherigen Stand an.`,
    opening: 'Anfangsstand',
    openingLater: 'Stand vor der ältesten dieser Buchungen',
    change: 'Summe der Buchungen',
    balance: 'Gespeicherter Kontostand',
  },
  adjust: {
    title: 'Gutschreiben oder belasten',
    purse: 'Welches Geld',
    text: (player) => `Bucht Geld zwischen dem Guthaben des Pakets und ${player}.`,
    credit: 'Gutschreiben',
    debit: 'Belasten',
    amount: (currency) => `Betrag (${currency})`,
    id: 'Transaktions-ID',
    idText: 'Jede ID wird nur einmal gebucht: Erneutes Senden bewegt kein Geld.',
    note: 'Notiz',
    done: 'Kontostand geändert.',
  },
  inspector: {
    text: 'Geben Sie eine Transaktions-ID ein, um alle Versuche, Wiederholungen und Ablehnungen zu sehen.',
    inspect: 'Anzeigen',
    empty: 'Geben Sie eine Transaktions-ID ein',
    none: 'Transaktion nicht gefunden',
    noneText: 'Diese ID steht weder in den Buchungen noch im Protokoll der letzten Versuche.',
    found: ({ deliveries, attempts, calls }) =>
      `${plural(deliveries.length, 'Buchung', 'Buchungen')} gespeichert, ` +
      `${plural(attempts.length, 'weiterer Versuch', 'weitere Versuche')}, ` +
      `${plural(calls.length, 'Aufruf eines verbundenen Anbieters', 'Aufrufe verbundener Anbieter')}.`,
    inRound: 'Runde',
    calls: 'Aufrufe verbundener Anbieter',
    callsText:
      'Jeder Aufruf, wie ihn der Anbieter gesendet hat, und seine Bedeutung für die Wallet. Die Suche ' +
      'umfasst die neuesten 5.000 Aufrufe und bei jeder gefundenen Buchung die Aufrufe ab deren Zeitpunkt.',
    attempts: 'Versuche',
    spaces: { caller: 'update_balance', provider: 'callback' },
    storedAs: (amount, balance, sequence) =>
      `Betrag ${amount}, Stand danach ${balance}, Journalnummer ${sequence}. Spieler`,
    refusedFor: (amount, balance) =>
      `Angefordert: ${amount} bei einem Stand von ${balance}. ` +
      'Die Ablehnung ist für diese ID endgültig. Spieler',
    outcomes: { repeated: 'Wiederholt', refused: 'Abgelehnt', failed: 'Fehlgeschlagen' },
    replayed: (result) =>
      `Wiederholung der ersten Anfrage mit derselben Antwort (${result}). Es wurde kein Geld bewegt.`,
    refusedAgain: (why) => `Wiederholung der ersten Anfrage, erneut abgelehnt. ${why}`,
    conflict: (field) => `Dieselbe ID mit anderem Inhalt: „${field}“ weicht ab. Es wurde kein Geld bewegt.`,
    refusedField: (why, field) => `${why} Feld: ${field}.`,
    failed: (status, why) => `Antwort ${status}. ${why}`,
    times: (count) => `${count}-mal in einer Sekunde`,
    from: (address, request) => `von ${address}, Anfrage ${request}`,
  },
  rounds: {
    text: 'Einsätze und Gewinne jeder Runde.',
    one: 'Alle Ereignisse der Runde in zeitlicher Reihenfolge.',
    which: 'Alle Runden',
    onlyOpen: 'Offene, älteste zuerst',
    state: 'Status',
    states: { open: 'Offen', closed: 'Geschlossen', void: 'Ohne Einsatz' },
    opened: 'Eröffnet',
    none: 'Noch keine Runden',
    noneText: 'Eine Runde erscheint mit ihrem ersten Einsatz.',
    sum: 'Zusammenfassung',
    timeline: 'Ablauf',
    balanceAfter: (money) => `Stand danach ${money}`,
    byReference: 'der Runde über den genannten Einsatz zugeordnet',
    truncated:
      'Diese Runde hat zu viele Ereignisse für eine Seite: Nur die neuesten werden angezeigt. ' +
      'Unter „Buchungen“ steht jede Buchung.',
  },
  games: {
    text: 'Spiele, die Ihre Spieler starten können. Probieren Sie sie hier mit einem Testspieler aus.',
    search: 'Name oder ID',
    category: 'Kategorie',
    total: (count) => plural(count, 'Spiel', 'Spiele'),
    sources: { private: 'Privat', public: 'Öffentlich', stale: 'Veraltet' },
    sourceTexts: {
      private: 'Aus der privaten API des Anbieters.',
      public: 'Aus dem öffentlichen Katalog, weil die private API nicht antwortet.',
      stale: 'Die letzte gute Kopie, weil der Anbieter nicht antwortet.',
    },
    rtp: (percent) => `Auszahlungsquote ${percent}`,
    demo: 'Demo',
    statuses: { active: 'Aktiv', maintenance: 'Wartung', disabled: 'Ausgeschaltet' },
    play: 'Spielen',
    playOf: (name) => `${name} spielen`,
    more: 'Mehr zeigen',
    none: 'Keine Spiele',
    noneText:
      'Ändern Sie die Filter. Bleibt die Liste leer, bitten Sie einen Administrator, den Anbieter zu prüfen.',
  },
  play: {
    text:
      'Wählen Sie einen Spieler. Der Demo-Modus bewegt kein Geld; ' +
      'der Echtgeld-Modus nutzt den Kontostand des Spielers.',
    memberText:
      'Wählen Sie einen Spieler. Sie können im Demo-Modus spielen; Echtgeld ist Inhabern vorbehalten.',
    mode: 'Modus',
    real: 'Echtgeld',
    launch: 'Starten',
    ready: 'Das Spiel ist bereit',
    open: 'Spiel öffnen',
    until: (time) => `Der Link gilt einmal, bis ${time}.`,
    sources: {
      private: 'Über die private API gestartet',
      shared: 'Über die geteilte Sitzung gestartet',
    },
    watch: 'Buchungen dieses Spielers',
    watchText: 'Spielen Sie im anderen Tab. Die Buchungen erscheinen hier.',
    watchDemoText: 'Eine Demo bewegt kein Geld; hier ändert sich nichts.',
  },
  callbacks: {
    text: 'Callbacks des Anbieters und ihr Ergebnis.',
    which: 'Welche Callbacks',
    delivered: 'Zugestellt',
    refused: 'Wiederholt und abgelehnt',
    ofConnections: 'Anbieter',
    byId: 'Genaue Transaktions-ID',
    from: 'Adresse',
    none: 'Noch keine Callbacks',
    noneText: 'Der erste Einsatz oder Gewinn des Anbieters erscheint hier.',
    noneRefused: 'Nichts wurde wiederholt oder abgelehnt',
    noneRefusedText: 'Hier erscheinen die letzten Wiederholungen, Konflikte und Ablehnungen.',
    replay: 'Wiederholen',
    replayOf: (id) => `${id} in der Sandbox wiederholen`,
    replayTitle: 'In der Sandbox wiederholen',
    replayText: (kind, id) =>
      `Sendet „${kind}“ ${id} an die Sandbox dieses Pakets. Es wird kein echtes Geld bewegt. ` +
      'Ein Spieler, den es dort noch nicht gibt, beginnt mit dem Kontostand vor diesem Callback.',
    send: 'Senden',
    again: 'Erneut senden',
    noSandbox:
      'Callbacks lassen sich in einer Sandbox wiederholen. Dieses Paket hat noch keine: ' +
      'Legen Sie unter „Einstellungen“, „Zugangsdaten“ eine an.',
    askOwner:
      'Callbacks lassen sich in einer Sandbox wiederholen. Dieses Paket hat noch keine: ' +
      'Bitten Sie einen Inhaber, eine anzulegen.',
    toCredentials: 'Zugangsdaten öffnen',
    compared: (original, status, result) =>
      `Ursprünglich: ${original}. Antwort der Sandbox: ${status}${result && `, ${result}`}.`,
    duplicate: 'Die Sandbox kannte diese ID bereits und hat ihre erste Antwort wiederholt.',
    sent: 'Anfrage',
    answer: 'Antwort',
  },
  credit: {
    text: 'Im Voraus bezahltes Geld, aus dem Sie Spielern Beträge gutschreiben.',
    left: 'Verbleibendes Guthaben',
    fine: 'Keine Warnung',
    runway: 'Reicht voraussichtlich noch',
    endless: 'Sinkt nicht',
    spent: (money, hours) => `${money} netto verbraucht in ${plural(hours, 'Stunde', 'Stunden')}`,
    notSpent: 'In den letzten 24 Stunden netto nichts verbraucht',
    threshold: 'Warnung bei wenig Guthaben',
    thresholdText:
      'Bis zu diesem Betrag gilt das Guthaben als niedrig, bis zu einem Viertel davon als kritisch.',
    warnAt: (currency) => `Warnen bei (${currency})`,
    overdraft: (money) => `Überziehungsgrenze: ${money}, von der Plattform gesetzt.`,
    saved: 'Schwelle gespeichert.',
  },
  topUps: {
    title: 'Aufladungen',
    balance: 'Guthaben danach',
    refused: 'Abgelehnt',
    none: 'Noch keine Aufladungen',
    noneText: 'Ein Administrator lädt das Paket auf.',
    topUp: 'Aufladen',
    reverse: 'Zurücknehmen',
    titleOf: (name) => `${name} aufladen`,
    done: 'Guthaben geändert.',
  },
  credentials: {
    text: 'Schlüssel, mit denen sich Ihre Programme und der Anbieter anmelden.',
    uid: 'UID des Pakets',
    uidText: 'Senden Sie die UID bei jedem Aufruf in X-UID. Die UID ist nicht geheim.',
    pairs: 'Schlüsselpaare',
    pairsText: 'Senden Sie den Schlüssel in X-API-KEY und das zugehörige Geheimnis in X-API-SECRET.',
    purpose: 'Zweck',
    purposes: { caller: 'Aufrufer', callback: 'Callbacks' },
    purposeTexts: {
      caller: 'Für Ihre Server. Das Geheimnis ist als Hash gespeichert und lässt sich nicht wieder anzeigen.',
      callback: 'Nur für Callbacks. Der Anbieter erhält das Paar automatisch.',
    },
    key: 'API-Schlüssel',
    secret: 'API-Geheimnis',
    state: 'Status',
    states: {
      active: 'Aktiv',
      retiring: 'Läuft aus',
      expired: 'Abgelaufen',
      revoked: 'Widerrufen',
    },
    until: 'bis',
    made: 'Erzeugt',
    used: 'Zuletzt benutzt',
    actions: 'Aktionen',
    revoke: 'Widerrufen',
    revokeOf: (key) => `${key} widerrufen`,
    revokeText: 'Das Schlüsselpaar gilt ab sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
    revoked: 'Schlüsselpaar widerrufen.',
    rotateLabels: {
      caller: 'Aufruferpaar erneuern',
      callback: 'Callback-Paar erneuern',
      aes: 'Erneuern',
    },
    rotateTitles: {
      caller: 'Aufruferpaar erneuern',
      callback: 'Callback-Paar erneuern',
      aes: 'AES-Schlüssel erneuern',
    },
    rotateText:
      'Erzeugt neue Zugangsdaten und zeigt sie einmal an. Die alten gelten für die gewählte Zeit weiter.',
    overlap: 'Alte Zugangsdaten behalten für',
    rotate: 'Erneuern',
    shownOnce: 'Speichern Sie dies jetzt: Es wird nicht noch einmal angezeigt.',
    oldUntil: (time) => `Die alten Zugangsdaten gelten bis ${time}.`,
    aes: 'AES-Schlüssel',
    aesText:
      'Dieser Schlüssel signiert oder verschlüsselt Callbacks. ' +
      'Er hat 32 Bytes und wird als Base64 angezeigt.',
    aesNever: 'Nie erneuert.',
    aesRotated: 'Erneuert',
    aesOld: (time) => `Der vorige Schlüssel gilt bis ${time}.`,
    showAes: 'Schlüssel anzeigen',
  },
  sandbox: {
    title: 'Sandbox-Paket',
    text: 'Ein eigenes Paket für Tests mit eigenen Zugangsdaten, eigenen Buchungen und ohne echtes Geld.',
    players: 'Testspieler und Testspiele',
    playersText:
      'In dieser Sandbox erhalten Aufrufe mit diesen IDs immer die beschriebene Antwort. ' +
      'Andere IDs verhalten sich normal.',
    ids: {
      test_insufficient: 'Belastungen und Einsätze werden abgelehnt: Der Kontostand ist zu niedrig.',
      test_ceiling:
        'Gutschriften und Gewinne werden abgelehnt: Der Kontostand würde die Obergrenze überschreiten.',
      test_blocked: 'Einsätze und Spielstarts werden abgelehnt: Der Spieler ist gesperrt.',
      test_slow: 'Jede Antwort kommt nach zwei Sekunden.',
      test_rate_limited: 'Jede Antwort ist 429 rate_limited. Es wird kein Geld bewegt.',
      test_unavailable: 'Jede Antwort ist 503 unavailable. Es wird kein Geld bewegt.',
      test_unknown:
        'Geld wird bewegt, aber die Antwort ist 503 outcome_unknown. ' +
        'Senden Sie dieselbe ID erneut, um das Ergebnis zu erfahren.',
      test_provider_down: 'Ein Start dieses Spiels wird mit 503 upstream_unavailable beantwortet.',
      test_game_unavailable: 'Ein Start dieses Spiels wird mit 403 game_unavailable beantwortet.',
    },
    open: 'Sandbox öffnen',
    make: 'Sandbox anlegen',
    made: 'Sandbox angelegt',
    askOwner: 'Dieses Paket hat noch keine Sandbox. Bitten Sie einen Inhaber, eine anzulegen.',
  },
  access: {
    text:
      'Die Domains und Adressen, von denen aus das Paket genutzt werden darf. ' +
      'Alle anderen werden abgelehnt.',
    saved: 'Liste gespeichert.',
    lists: {
      domains: {
        title: 'Erlaubte Domains',
        text: 'Hosts, die im Origin einer Anfrage und in der Rücksprungadresse eines Spiels erlaubt sind.',
        placeholder: 'play.example oder *.shop.example',
      },
      caller_addresses: {
        title: 'Adressen der Aufrufer',
        text: 'Adressen und Adressbereiche, die die API aufrufen dürfen.',
        placeholder: '203.0.113.7 oder 2001:db8::/32',
      },
      callback_addresses: {
        title: 'Adressen des Anbieters',
        text: 'Adressen und Adressbereiche, die Callbacks senden und Anbieterverbindungen aufrufen dürfen.',
        placeholder: '198.51.100.0/24',
      },
    },
    empty: {
      domains: 'Die Liste ist leer: Anfragen mit einem Origin werden abgelehnt.',
      caller_addresses: 'Die Liste ist leer: Jede Adresse darf die API aufrufen.',
      callback_addresses: 'Die Liste ist leer: Jede Adresse darf Callbacks senden.',
    },
  },
  security: {
    text: 'Die Adresse für Callbacks des Anbieters, und wie Callbacks ihre Herkunft nachweisen.',
    url: 'Callback-URL',
    urlText:
      'An diese Adresse sendet der Anbieter jeden Einsatz und Gewinn. ' +
      'Freigegebene Pakete werden beim Anbieter automatisch mit dieser Adresse angemeldet.',
    mode: 'Herkunftsnachweis',
    modeText:
      'Die Header X-UID, X-API-KEY und X-API-SECRET sind in jedem Modus Pflicht. ' +
      'Änderungen werden dem Anbieter mitgeteilt.',
    modes: { headers: 'Nur Header', signed: 'Signiert', encrypted: 'Verschlüsselt' },
    modeTexts: {
      headers: 'UID, Schlüssel und Geheimnis.',
      signed: 'Die Header und eine Signatur über Zeit, Pfad und Inhalt. Auch die Antworten werden signiert.',
      encrypted:
        'Die Header und ein mit dem AES-Schlüssel verschlüsselter Inhalt. ' +
        'Auch die Antworten sind verschlüsselt.',
    },
    saved: 'Gespeichert. Der Anbieter wird benachrichtigt.',
    shared: 'Geteilter Start',
    sharedSwitch: 'Geteilte Sitzung nutzen, wenn der private Start nicht verfügbar ist',
    sharedText: 'Lehnt der Anbieter den Start ab, wird die geteilte Sitzung nicht genutzt.',
  },
  webhooks: {
    text:
      'Sendet Ihren Systemen signierte Ereignisse über Kontostände, Runden und Guthaben: ' +
      'in der richtigen Reihenfolge und mindestens einmal.',
    noneText:
      'Fügen Sie eine Adresse hinzu. Sie wird benachrichtigt, wenn sich ein Kontostand ändert, ' +
      'eine Runde abgerechnet ist, das Guthaben knapp wird oder das Paket gesperrt wird.',
    events: {
      'balance.changed':
        'Der Kontostand eines Spielers oder, durch eine Aufladung, das Guthaben hat sich geändert.',
      'round.settled': 'Die Runde eines Spielers wurde geschlossen.',
      'credit.low':
        'Das Guthaben sank auf die Warnschwelle oder stieg wieder, übersteigt die Schwelle aber noch nicht.',
      'credit.critical': 'Das Guthaben beträgt höchstens ein Viertel der Schwelle.',
      'credit.exhausted':
        'Guthaben und Überziehung sind aufgebraucht. Spielern kann nichts gutgeschrieben werden.',
      'credit.restored': 'Das Guthaben liegt wieder über der Schwelle.',
      'package.suspended':
        'Das Paket wurde gesperrt. Einsätze, Spielstarts, Gutschriften und Belastungen werden abgelehnt.',
      'package.resumed': 'Die Sperre wurde aufgehoben.',
    },
  },
  providers: {
    text: 'Spieleanbieter, die diese Wallet in ihrem eigenen Protokoll aufrufen.',
    add: 'Anbieter hinzufügen',
    addDo: 'Verbindung anlegen',
    list: 'Verbindungen',
    none: 'Noch keine Anbieter',
    noneText:
      'Verbinden Sie einen Anbieter, mit dem Sie einen Vertrag haben. Seine Spiele nutzen dann die ' +
      'Kontostände Ihrer Spieler.',
    gone: 'Verbindung nicht gefunden',
    goneText: 'Die Verbindung wurde gelöscht oder gehört zu einem anderen Paket.',
    about: 'Übersicht',
    name: 'Name',
    nameHint: 'Erscheint in Listen und Protokollen.',
    dialect: 'Protokoll',
    dialectHint: 'Fragen Sie Ihren Anbieter, welches Protokoll er verwendet.',
    state: 'Status',
    states: { active: 'Aktiv', paused: 'Angehalten' },
    url: 'Adresse für den Anbieter',
    urlText: 'Geben Sie dem Anbieter diese Adresse. Er hängt seine eigenen Pfade an.',
    prefix: 'Spielpräfix',
    prefixHint:
      'Steht vor den IDs der Spiele dieses Anbieters, damit zwei Anbieter dieselbe ID verwenden ' +
      'können. Optional.',
    codes: (currency) => `Codes des Anbieters für ${currency}`,
    codesShort: 'Währungscodes',
    codesHint:
      'Nur wenn der Anbieter für diese Währung nicht den ISO-Code verwendet. ' +
      'Trennen Sie mehrere Codes mit Kommas.',
    upstream: 'API des Anbieters',
    upstreamHint: 'Unter dieser Adresse fragt die Wallet Spieleliste und Spielstarts an. Optional.',
    before: 'Das brauchen Sie',
    enter: {
      softswiss:
        'Fragen Sie den Anbieter nach seinem Token. Für die Spieleliste brauchen Sie auch Ihre ' +
        'Casino-ID und die Adresse der API des Anbieters.',
      slotegrator:
        'Fragen Sie Slotegrator nach Händler-ID und Händlerschlüssel. Das Paket sollte 4 ' +
        'Nachkommastellen haben.',
      hub88:
        'Fragen Sie Hub88 nach dem öffentlichen Schlüssel. Das Paket sollte 5 Nachkommastellen ' +
        'haben. Die Wallet erzeugt ihr eigenes Schlüsselpaar.',
      caleta:
        'Fragen Sie Caleta nach dem öffentlichen Schlüssel. Das Paket sollte 5 Nachkommastellen ' +
        'haben. Die Wallet erzeugt ihr eigenes Schlüsselpaar.',
      valkyrie:
        'Die Wallet erzeugt das Token. Geben Sie ein Abgleich-Token nur an, wenn Sie Red Tiger ' +
        'verwenden.',
    },
    tell: {
      softswiss:
        'Geben Sie dem Anbieter diese Adresse. Die Konto-ID in seinen Aufrufen muss Ihre Spieler-ID sein.',
      slotegrator:
        'Nennen Sie Slotegrator diese Adresse als Callback-URL und die IP-Adressen Ihrer Server. ' +
        'Bitten Sie Slotegrator, Runden-IDs zu senden.',
      hub88:
        'Nennen Sie Hub88 diese Adresse und unseren öffentlichen Schlüssel. Der Benutzer in ' +
        'den Aufrufen muss Ihre Spieler-ID sein.',
      caleta:
        'Nennen Sie Caleta diese Adresse und unseren öffentlichen Schlüssel. Bitten Sie Caleta, ' +
        'Ihre Spieler-ID als „supplier_user“ zu senden.',
      valkyrie: 'Tragen Sie diese Adresse und das Token in der Konfiguration Ihres Valkyrie unter „pam“ ein.',
    },
    credentials: {
      token: 'Zugriffstoken',
      casino_id: 'Casino-ID',
      merchant_id: 'Händler-ID',
      merchant_key: 'Händlerschlüssel',
      provider_public_key_pem: 'Öffentlicher Schlüssel des Anbieters',
      operator_id: 'Betreiber-ID',
      sub_partner_id: 'Marken-ID',
      recon_token: 'Abgleich-Token',
    },
    credentialHints: {
      token: 'Vom Anbieter ausgestellt. Beide Seiten signieren ihre Anfragen mit diesem Token.',
      casino_id: 'Nur für Spieleliste und Spielstarts nötig. Optional.',
      merchant_id: 'Aus Ihrem Konto beim Anbieter.',
      merchant_key: 'Beide Seiten signieren ihre Anfragen mit diesem Schlüssel.',
      provider_public_key_pem: 'Ein RSA-Schlüssel im PEM-Format.',
      operator_id: 'Nur für Spieleliste und Spielstarts nötig. Optional.',
      sub_partner_id: 'Falls Sie mehrere Marken haben. Optional.',
      recon_token:
        'Aus dem Portal von Red Tiger. Geben Sie das Token auch bei jeder Erneuerung an. ' +
        'Bleibt das Feld leer, erzeugt die Wallet ein Token.',
    },
    publicKey: 'Unser öffentlicher Schlüssel',
    shownOnce: 'Speichern Sie dies jetzt. Es wird nicht noch einmal angezeigt.',
    edit: 'Bearbeiten',
    editText: (name) =>
      `Das Protokoll (${name}) lässt sich nicht ändern. Zugangsdaten ändern Sie mit „Erneuern“.`,
    saved: 'Verbindung gespeichert.',
    pause: 'Anhalten',
    pauseTitle: 'Verbindung anhalten?',
    pauseText:
      'Die Wallet beantwortet jeden Aufruf des Anbieters mit einem Fehler. Fragen Sie den Anbieter, ob er ' +
      'abgelehnte Gewinne und Rückbuchungen erneut sendet.',
    paused: 'Verbindung angehalten.',
    resume: 'Fortsetzen',
    resumeTitle: 'Verbindung fortsetzen?',
    resumeText: 'Die Wallet führt die Aufrufe des Anbieters ab jetzt wieder aus.',
    resumed: 'Verbindung fortgesetzt.',
    rotate: 'Erneuern',
    rotateTitle: 'Zugangsdaten erneuern',
    rotateText:
      'Geben Sie die neuen Zugangsdaten des Anbieters ein. Zugangsdaten des Anbieters, die Sie leer ' +
      'lassen, bleiben unverändert. Zugangsdaten der Wallet, die Sie leer lassen, erzeugt sie neu.',
    rotated: 'Zugangsdaten erneuert.',
    oldCredentials: 'Alte Zugangsdaten gelten bis',
    delete: 'Löschen',
    deleteTitle: 'Verbindung löschen?',
    deleteText:
      'Spätere Aufrufe werden wie Aufrufe einer unbekannten Adresse beantwortet. Die Buchungen ' +
      'bleiben erhalten. Das lässt sich nicht rückgängig machen.',
    deleted: 'Verbindung gelöscht.',
    tester: 'Test',
    testerText:
      'Fragt über diese Verbindung mit einem signierten Aufruf einen Kontostand ab, wie es der ' +
      'Anbieter täte. Es wird kein Geld bewegt.',
    send: 'Testaufruf senden',
    accepted: 'Angenommen: Die Antwort enthält den Kontostand.',
    carriedOut: 'Ausgeführt',
    httpStatus: 'HTTP-Status',
    refused: (code) => `Abgelehnt: ${code}.`,
    request: 'Anfrage',
    answer: (status) => `Antwort (${status})`,
    meaning: 'Bedeutung',
    original: 'Originaltext',
    noMeaning: 'Die Wallet hat den Aufruf abgelehnt, ohne seinen Inhalt zu lesen.',
    calls: 'Letzte Aufrufe',
    callsText: 'Alle Aufrufe des Anbieters und ihre Bedeutung in dieser Wallet.',
    noCalls: 'Noch keine Aufrufe',
    noCallsText: 'Die Aufrufe des Anbieters erscheinen hier innerhalb einer Sekunde.',
    when: 'Zeit',
    call: 'Aufruf',
    player: 'Spieler',
    outcome: 'Ergebnis',
    details: 'Einzelheiten',
    detailsOf: (call) => `Einzelheiten zu ${call}`,
    address: 'Absender',
    requestId: 'Anfrage-ID',
  },
  gameSources: {
    title: 'Spiele dieses Anbieters',
    text: 'Anfragen dieses Prozesses des Dienstes an den Anbieter, alle zehn Sekunden aktualisiert.',
    calls: 'Anfragen',
    lists: 'Spieleliste',
    launches: 'Spielstarts',
    states: {
      reachable: 'Erreichbar',
      circuit_open: 'Schutzschalter offen',
      stale: 'Kopie in Gebrauch',
      unavailable: 'Nicht erreichbar',
      too_large: 'Zu viele Spiele',
      not_requested: 'Noch nicht angefragt',
      never_read: 'Nie gelesen',
    },
    meanings: {
      reachable: 'Der Anbieter hat die letzte Anfrage nach seinen Spielen beantwortet.',
      circuit_open: 'Mehrere Anfragen sind fehlgeschlagen. Die Wallet sendet einige Sekunden lang keine.',
      stale: 'Die letzte Anfrage brachte keine brauchbare Liste. Angezeigt wird die letzte gute Kopie.',
      unavailable: 'Die letzte Anfrage brachte keine brauchbare Liste, und es gibt keine Kopie.',
      too_large:
        'Die Liste hat mehr als 20.000 Spiele, 8 MiB oder 400 Seiten. ' +
        'Die Wallet verwendet sie deshalb nicht, und es gibt keine Kopie.',
      not_requested: 'Dieser Prozess hat die Spiele seit seinem Start nicht angefragt.',
      never_read: 'Die Spiele werden angefragt, wenn jemand zum ersten Mal die Spieleliste öffnet.',
    },
    copy: (total, at) => `Liste vom ${at}: ${plural(total, 'Spiel', 'Spiele')}.`,
  },
  tester: {
    title: 'Callback testen',
    text:
      'Sendet einen balance-Callback an diesen Dienst, wie es der Anbieter tut. ' +
      'Es wird kein Geld bewegt.',
    fault: 'Zu sendender Callback',
    faults: {
      none: 'Korrekter Callback',
      wrong_secret: 'Mit falschem Geheimnis',
      no_seal: 'Ohne Signatur oder Verschlüsselung',
      wrong_seal: 'Mit einem anderen Schlüssel signiert oder verschlüsselt',
      old_seal: 'Vor einer Stunde signiert',
    },
    accepted: 'Angenommen.',
    refused: (status, code) => `Abgelehnt mit ${status} ${code}.`,
    sealed: 'Die Antwort ist mit dem Schlüssel des Pakets signiert oder verschlüsselt.',
    unsealed: 'Die Antwort ist nicht mit dem Schlüssel des Pakets signiert oder verschlüsselt.',
  },
  proof: {
    text: 'Berechnet jeden Stand und jedes Glied der Hash-Kette neu aus dem Journal.',
    title: 'Letzter Nachweis',
    about: 'Ein Nachweis liest das ganze Journal, während der Dienst weiterläuft.',
    run: 'Nachweis starten',
    runOf: (name) => `Nachweis starten: ${name}`,
    ended: 'Nachweis beendet.',
    running: 'Fortschritt des Nachweises',
    none: 'Noch kein Nachweis',
    notYet: 'Noch nicht',
    clean:
      'Einwandfrei: Die Hash-Kette ist intakt, jeder Stand stimmt, und alle Stände ergeben zusammen null.',
    isClean: 'Einwandfrei',
    hasFlaws: (count) => plural(count, 'Fehler', 'Fehler'),
    flawed: (count) =>
      `${plural(count, 'Fehler', 'Fehler')} gefunden. Wenden Sie sich an den Betreiber dieses Dienstes.`,
    verdict: 'Ergebnis',
    finished: 'Beendet',
    movements: 'Buchungen',
    accounts: 'Konten',
    head: 'Kettenende',
    flaw: ({ sequence, account, problem }) =>
      [sequence && `Zeile ${sequence}`, account && `Konto ${account}`, problem].filter(Boolean).join(' '),
  },
  admin: {
    packagesText: 'Die Pakete aller Kunden. Hier geben Sie Pakete frei, sperren sie und laden sie auf.',
    auditText:
      'Änderungen durch Administratoren, Admin-Token und den Betreiber, auch ihre Änderungen in Paketen. ' +
      'Das Protokoll enthält auch Änderungen von Inhabern an Einstellungen, Schlüsseln und Sandboxes. ' +
      'Andere Änderungen durch Mitglieder stehen im Änderungsprotokoll ihres Pakets.',
    search: 'Name oder UID',
    state: 'Status',
    states: { pending: 'Wartend', approved: 'Freigegeben', suspended: 'Gesperrt' },
    kind: 'Art',
    kinds: { false: 'Echt', true: 'Sandbox' },
    sandbox: 'Sandbox',
    name: 'Paket',
    unit: 'Währung',
    unitOf: (currency, decimals) => `${currency}, ${plural(decimals, 'Nachkommastelle', 'Nachkommastellen')}`,
    alert: 'Warnung',
    made: 'Angelegt',
    none: 'Noch keine Pakete',
    noneText: 'Legen Sie das erste Paket an. Der Inhaber erhält einen Link, um ein Passwort zu setzen.',
    about: 'Angaben',
    threshold: 'Warnen bei',
    overdraft: 'Überziehungsgrenze',
    domains: 'Erlaubte Domains',
    security: 'Callback-Sicherheit',
    terms: 'Bedingungen',
    saved: 'Paket gespeichert.',
    connections: 'Verbindungen zu Anbietern',
    noConnectionsText: 'Inhaber des Pakets legen Verbindungen unter Einstellungen → Anbieter an.',
    registration: 'Anmeldung beim Anbieter',
    isKnown: 'Beim Anbieter auf dem aktuellen Stand',
    isPending: 'Noch nicht an den Anbieter gesendet',
    registeredAt: 'Zuletzt gesendet',
    attempts: 'Fehlgeschlagene Versuche',
    nextTry: 'Nächster Versuch',
    reason: 'Grund (optional)',
    verbs: {
      approve: {
        label: 'Freigeben',
        text: 'Das Paket kann ab jetzt genutzt werden. Es wird beim Anbieter angemeldet.',
        done: 'Paket freigegeben.',
      },
      resume: {
        label: 'Fortsetzen',
        text: 'Alle Operationen funktionieren wieder.',
        done: 'Sperre aufgehoben.',
      },
      suspend: {
        label: 'Sperren',
        text:
          'Einsätze, Spielstarts, neue Spieler, Gutschriften und Belastungen werden abgelehnt. ' +
          'Gewinne, Rückbuchungen und Abfragen bleiben möglich.',
        done: 'Paket gesperrt.',
      },
    },
  },
  stakeLimit: {
    title: 'Höchsteinsatz',
    ofPackage:
      'Einsätze über diesem Betrag werden bei jedem Spieler abgelehnt. ' +
      'Ein Spieler kann eine kleinere Grenze haben.',
    ofPlayer:
      'Einsätze dieses Spielers über diesem Betrag werden abgelehnt. ' +
      'Die Grenze des Pakets gilt ebenfalls.',
    limit: (currency) => `Höchster Einsatz (${currency})`,
    unlimited: 'Keine Grenze',
    saved: 'Der Höchsteinsatz ist gespeichert.',
  },
  issue: {
    title: 'Paket anlegen',
    text: 'Das Paket wartet zunächst auf Freigabe. Geben Sie es frei, wenn alles vereinbart ist.',
    name: 'Name',
    currency: 'Währung (ISO 4217)',
    decimals: 'Nachkommastellen der Beträge',
    decimalsText:
      'Bis zu 8, für Anbieter, die mehr Nachkommastellen brauchen, als die Währung hat. ' +
      'Leer: die Nachkommastellen der Währung.',
    owner: 'E-Mail des Inhabers',
    ownerText: 'Sie erhalten einen Link, mit dem der Inhaber ein Passwort setzt. Geben Sie den Link weiter.',
    link: 'Link für den Inhaber',
    shownOnce: 'Geben Sie dies jetzt sicher weiter: Es wird nicht noch einmal angezeigt.',
  },
  provider: {
    text: 'Der Zustand des Anbieters aus Sicht dieses Prozesses, alle drei Sekunden aktualisiert.',
    sources: 'Quellen',
    sourcesText:
      'Ein offener Schutzschalter überspringt eine ausgefallene Quelle. ' +
      'Die Quelle wird automatisch erneut angefragt.',
    source: 'Quelle',
    sourceNames: {
      private: 'Privater Katalog',
      public: 'Öffentlicher Katalog',
      private_catalogue: 'Privater Katalog',
      public_catalogue: 'Öffentlicher Katalog',
      private_launch: 'Privater Start',
      shared_launch: 'Geteilter Start',
      registration: 'Anmeldung',
    },
    breaker: 'Schutzschalter',
    breakers: { closed: 'Geschlossen', half_open: 'Wird getestet', open: 'Offen' },
    lastSuccess: 'Letzter Erfolg',
    lastFailure: 'Letzter Fehler',
    catalogue: 'Katalog',
    catalogueSource: 'Quelle',
    catalogueTaken: 'Geladen',
    noCatalogue: 'Noch kein Katalog',
    noCatalogueText: 'Der Katalog wird geladen, wenn jemand zum ersten Mal die Spieleliste öffnet.',
    suspicion: (source) => `${source}: unplausible Liste`,
    suspicionText: (total, since) =>
      `Seit ${since} enthält die Liste nur ${plural(total, 'Spiel', 'Spiele')}, ` +
      'höchstens halb so viele wie zuvor.',
    accept: 'Liste übernehmen',
    accepted: 'Liste übernommen.',
    registrations: 'Ausstehende Anmeldungen',
    registrationsText:
      'Pakete, deren Callback-URL und Zugangsdaten noch nicht an den Anbieter gesendet wurden.',
    allKnown: 'Alle Pakete sind beim Anbieter auf dem aktuellen Stand',
  },
  tokens: {
    text: 'Für Programme, die Pakete über /admin/v1 verwalten. Jedes Token hat vollen Zugriff.',
    name: 'Name',
    nameText: 'Der Zweck des Tokens.',
    states: { active: 'Aktiv', expired: 'Abgelaufen', revoked: 'Widerrufen' },
    make: 'Token erzeugen',
    token: 'Token',
    shownOnce: 'Speichern Sie das Token jetzt: Es wird nicht noch einmal angezeigt.',
    revokeOf: (name) => `${name} widerrufen`,
    revokeText: 'Programme, die das Token verwenden, werden sofort abgelehnt.',
    revoked: 'Token widerrufen.',
    none: 'Keine Token',
    noneText: 'Nur Programme brauchen Token. Personen verwenden diese Oberfläche.',
  },
};

export default german;
