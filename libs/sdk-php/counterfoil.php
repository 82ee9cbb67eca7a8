<?php
// Validates and activates purchase codes: one file, no dependencies, PHP 8.0 or newer.
//
//   require 'counterfoil.php';
//   $licensing = new Counterfoil\Licensing('https://licensing.example.com', 'ck_pub_…');
//   $answer = $licensing->validate($_POST['purchase_code']);
//   if ($answer->valid) { … }
//
//   $activation = $licensing->activate($_POST['purchase_code'], $_SERVER['HTTP_HOST']);
//   if ($activation->active) { … }
//
//   $verdict = Counterfoil\OfflineLicence::verify($licence, $keys, ['domain' => $_SERVER['HTTP_HOST']]);
//   if ($verdict->valid) { … }
//
// An error does not make a code invalid. Only a verdict of the service sets `valid` to false. If the
// service is unreachable or overloaded, a code that was valid before stays valid for a grace period.
// For other codes, validate() throws Unavailable: try again later, and do not lock the user out.

declare(strict_types=1);

namespace Counterfoil;

/** The verdict on a purchase code. */
final class Answer
{
    /**
     * @param string $reason the code of the refusal (purchase_not_found, purchase_refunded, …), or ''
     * @param array<string, mixed> $purchase the purchase: item, license_type, price, supported_until, …
     * @param string $source 'service', 'cache', or 'grace' if the service was unavailable
     */
    public function __construct(
        public bool $valid,
        public string $reason,
        public array $purchase,
        public string $source,
        public int $checkedAt,
    ) {
    }

    /**
     * Whether the code is valid and has support at the moment. The service omits supported_until for a
     * purchase without support, so such a purchase is not supported.
     */
    public function isSupported(?int $now = null): bool
    {
        $until = $this->purchase['supported_until'] ?? null;
        return $this->valid && $until !== null && strtotime($until) >= ($now ?? time());
    }
}

/** The result of activating a code on a host or machine. */
final class Activation
{
    /**
     * @param string $reason the code of the refusal (activation_limit_reached, …), or ''
     * @param string $target the host in the service's normalised form, or the machine
     * @param bool $counts false for local, private and staging hosts, which use no seat
     * @param int $limit the number of seats of the licence; 0 if the service did not return it
     */
    public function __construct(
        public bool $active,
        public string $reason,
        public int $id,
        public string $target,
        public bool $counts,
        public int $limit,
        public int $used,
    ) {
    }
}

/** The error of a call that failed without a verdict on the code. */
class Failure extends \RuntimeException
{
    public function __construct(string $message, public string $reason, public string $requestId = '')
    {
        parent::__construct($message);
    }
}

/**
 * The service is unreachable or overloaded, or its answer has no genuine signature. Nothing is known
 * about the code: try again later.
 */
final class Unavailable extends Failure
{
}

/**
 * The service refused the call, for example because the API key, its scope or the form of the code is
 * wrong. A repeated call fails too.
 */
final class Refused extends Failure
{
}

/** PHP's sodium extension is missing, so no signature can be verified. */
final class Unverifiable extends Failure
{
}

/** The verdict on an offline licence. */
final class LicenceVerdict
{
    /**
     * @param string $reason '' or malformed, unknown_key, signature_invalid, wrong_item, wrong_host,
     *   not_yet_valid, expired, revocations_invalid, revoked
     * @param bool $inGrace whether the licence is accepted only because of its grace period
     * @param array<string, mixed> $claims sub, item_id, license_type, domain, exp, …
     */
    public function __construct(
        public bool $valid,
        public string $reason,
        public bool $inGrace = false,
        public array $claims = [],
    ) {
    }
}

/** Verifies offline licences with nothing but the public keys of the workspace. */
final class OfflineLicence
{
    /**
     * Verifies a licence without calling the service. Throws Unverifiable only if the sodium extension is
     * missing.
     *
     * @param array<mixed> $keys the JWK Set of the workspace, decoded from JSON
     * @param array{
     *   domain?: string, machine_id?: string, item_id?: int, revocations?: string,
     *   tolerance_seconds?: int, grace_seconds?: int, now?: int
     * } $check
     */
    public static function verify(string $licence, array $keys, array $check): LicenceVerdict
    {
        $claims = self::open(trim($licence), 'counterfoil-licence+jwt', $keys);
        if (is_string($claims)) {
            return new LicenceVerdict(false, $claims);
        }
        foreach (['iat', 'exp', 'grace', 'item_id'] as $name) {
            if (!is_int($claims[$name] ?? null)) {
                return new LicenceVerdict(false, 'malformed');
            }
        }
        if (isset($check['item_id']) && $claims['item_id'] !== $check['item_id']) {
            return new LicenceVerdict(false, 'wrong_item');
        }
        if (!self::isFor($claims, $check)) {
            return new LicenceVerdict(false, 'wrong_host');
        }
        if (isset($check['revocations'])) {
            $list = self::open(trim($check['revocations']), 'counterfoil-revocations+jwt', $keys);
            if (is_string($list) || !is_array($list['revoked'] ?? null)) {
                return new LicenceVerdict(false, 'revocations_invalid');
            }
            if (in_array($claims['code_id'] ?? null, $list['revoked'], true)) {
                return new LicenceVerdict(false, 'revoked');
            }
        }
        return self::checkTimes($claims, $check);
    }

    /**
     * Whether one of the keys made the signature.
     *
     * @param array<mixed> $keys
     */
    public static function isSigned(string $content, string $signature, string $kid, array $keys): bool
    {
        $key = self::findKey($kid, $keys);
        return $key !== null && strlen($signature) === SODIUM_CRYPTO_SIGN_BYTES
            && sodium_crypto_sign_verify_detached($signature, $content, $key);
    }

    /**
     * The grace period applies to both ends of a licence. A licence that has expired is accepted for this
     * time. A licence is also accepted if the clock of this machine is behind the issue of the licence by at
     * most this time.
     *
     * @param array<string, mixed> $claims
     * @param array<string, mixed> $check
     */
    private static function checkTimes(array $claims, array $check): LicenceVerdict
    {
        $grace = $check['grace_seconds'] ?? $claims['grace'];
        $tolerance = $check['tolerance_seconds'] ?? 300;
        $now = $check['now'] ?? time();
        $early = $claims['iat'] - $now - $tolerance;
        $late = $now - $claims['exp'] - $tolerance;
        if ($early > $grace) {
            return new LicenceVerdict(false, 'not_yet_valid');
        }
        if ($late >= $grace) {
            return new LicenceVerdict(false, 'expired');
        }
        return new LicenceVerdict(true, '', $early > 0 || $late >= 0, $claims);
    }

    /**
     * @param array<string, mixed> $claims
     * @param array<string, mixed> $check
     */
    private static function isFor(array $claims, array $check): bool
    {
        if (isset($check['domain'])) {
            return isset($claims['domain']) && $claims['domain'] === self::normaliseHost($check['domain']);
        }
        return isset($check['machine_id']) && ($claims['machine_id'] ?? null) === trim($check['machine_id']);
    }

    /** Returns `shop.example` for `https://www.Shop.Example:8443/a?b`, as the service does. */
    public static function normaliseHost(string $given): string
    {
        $rest = preg_replace('#^(?:[a-z][a-z0-9+.-]*:)?[/\\\\]{2}#i', '', trim($given));
        $authority = preg_split('#[/?\\#\\\\]#', (string) $rest)[0] ?? '';
        $at = strrpos($authority, '@');
        $host = $at === false ? $authority : substr($authority, $at + 1);
        if (preg_match('/^\[([^\]]*)\]/', $host, $match) === 1 || substr_count($host, ':') > 1) {
            $packed = @inet_pton($match[1] ?? $host);
            return $packed === false ? '' : (string) inet_ntop($packed);
        }
        $name = (string) preg_replace('/:\d{0,5}$/', '', $host);
        if (preg_match('/[^\x21-\x7e]/', $name) === 1 && function_exists('idn_to_ascii')) {
            $name = (string) idn_to_ascii($name);
        }
        $name = rtrim(strtolower($name), '.');
        return (string) preg_replace('/^www\.(?=[^.]+\.)/', '', $name);
    }

    /**
     * Opens a compact JWS. The algorithm is fixed, so the JWS cannot choose a weaker one.
     *
     * @param array<mixed> $keys
     * @return array<string, mixed>|string the claims, or the reason of the refusal
     */
    private static function open(string $jws, string $type, array $keys): array|string
    {
        $parts = explode('.', $jws);
        $header = count($parts) === 3 ? self::decode($parts[0]) : null;
        $signature = count($parts) === 3 ? self::fromBase64Url($parts[2]) : null;
        if ($header === null || $signature === null) {
            return 'malformed';
        }
        if (($header['alg'] ?? '') !== 'EdDSA' || ($header['typ'] ?? '') !== $type) {
            return 'malformed';
        }
        $kid = (string) ($header['kid'] ?? '');
        if (self::findKey($kid, $keys) === null) {
            return 'unknown_key';
        }
        if (!self::isSigned("$parts[0].$parts[1]", $signature, $kid, $keys)) {
            return 'signature_invalid';
        }
        return self::decode($parts[1]) ?? 'malformed';
    }

    /** @param array<mixed> $keys */
    private static function findKey(string $kid, array $keys): ?string
    {
        if (!function_exists('sodium_crypto_sign_verify_detached')) {
            throw new Unverifiable("PHP's sodium extension is required to verify signatures.", 'sodium_missing');
        }
        foreach ($keys['keys'] ?? $keys as $key) {
            if (is_array($key) && ($key['kid'] ?? '') === $kid && ($key['crv'] ?? '') === 'Ed25519') {
                $raw = self::fromBase64Url((string) ($key['x'] ?? ''));
                return $raw !== null && strlen($raw) === SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES ? $raw : null;
            }
        }
        return null;
    }

    /** @return array<string, mixed>|null */
    private static function decode(string $part): ?array
    {
        $text = self::fromBase64Url($part);
        $value = $text === null ? null : json_decode($text, true);
        return is_array($value) ? $value : null;
    }

    private static function fromBase64Url(string $text): ?string
    {
        $bytes = preg_match('/^[\w-]*$/D', $text) === 1 ? base64_decode(strtr($text, '-_', '+/'), true) : false;
        return $bytes === false ? null : $bytes;
    }
}

final class Licensing
{
    private const MAX_ANSWER_BYTES = 1048576;

    /** The reasons for which a code is invalid. Every other error says nothing about the code. */
    private const VERDICTS = [
        'purchase_not_found',
        'purchase_refunded',
        'purchase_cancelled',
        'purchase_disputed',
    ];

    /** The reasons for which a host or machine is refused although the code is valid. */
    private const REFUSED_PLACES = ['activation_limit_reached', 'activation_moves_exhausted'];

    private string $cacheFolder;

    /**
     * @param array{
     *   cache_folder?: string, cache_seconds?: int, refusal_seconds?: int,
     *   grace_seconds?: int, timeout_seconds?: float, public_keys?: array<mixed>
     * } $options with public_keys (the JWK Set of the workspace), only signed verdicts are accepted
     */
    public function __construct(private string $url, private string $apiKey, private array $options = [])
    {
        $this->url = rtrim($url, '/');
        $this->cacheFolder = $options['cache_folder'] ?? sys_get_temp_dir() . '/counterfoil';
    }

    /** @param array<string, string> $more additional fields, such as the domain of the installation */
    public function validate(string $code, array $more = []): Answer
    {
        $code = trim($code);
        $known = $this->remember($code);
        $age = $known === null ? PHP_INT_MAX : time() - $known->checkedAt;
        // A negative age means that the system clock was set back. The cached verdict is then not used.
        if ($known !== null && $age >= 0 && $age < $this->secondsOf($known)) {
            return $known;
        }
        try {
            $answer = $this->ask($code, $more);
        } catch (Unavailable $error) {
            $grace = $this->options['grace_seconds'] ?? 7 * 86400;
            if ($known === null || !$known->valid || $age > $grace) {
                throw $error;
            }
            return new Answer(true, '', $known->purchase, 'grace', $known->checkedAt);
        }
        $this->keep($code, $answer);
        return $answer;
    }

    /** Removes the cached verdict of a code, so that the next call asks the service. */
    public function forget(string $code): void
    {
        @unlink($this->fileOf(trim($code)));
    }

    /**
     * Activates the code for this installation. Activating the same host again uses no further seat.
     * Throws Unavailable if the service is unreachable. An installation that was active before should then
     * continue to work.
     *
     * @param string $place the host of the installation, in any spelling, or the id of a machine
     */
    public function activate(string $code, string $place, bool $isMachine = false): Activation
    {
        [$status, $given] = $this->callAbout('/api/v1/activations', $code, $place, $isMachine);
        $reason = (string) ($given['code'] ?? '');
        if ($status === 200 && is_array($given['data']['activation'] ?? null)) {
            $data = $given['data'];
            $one = $data['activation'];
            return new Activation(true, '', (int) $one['id'], (string) $one['target'], (bool) $one['counts'], (int) $data['limit'], (int) $data['used']);
        }
        if (in_array($reason, [...self::VERDICTS, ...self::REFUSED_PLACES], true)) {
            $data = is_array($given['data'] ?? null) ? $given['data'] : [];
            return new Activation(false, $reason, 0, '', true, (int) ($data['limit'] ?? 0), (int) ($data['used'] ?? 0));
        }
        throw $this->failureOf($status, $given);
    }

    /**
     * Releases the seat of this installation. Returns true even if the installation had no seat, and false if
     * the code is not valid.
     */
    public function release(string $code, string $place, bool $isMachine = false): bool
    {
        [$status, $given] = $this->callAbout('/api/v1/activations/release', $code, $place, $isMachine);
        $reason = (string) ($given['code'] ?? '');
        if ($status === 200 || $reason === 'activation_not_found') {
            return true;
        }
        if (in_array($reason, self::VERDICTS, true)) {
            return false;
        }
        throw $this->failureOf($status, $given);
    }

    /**
     * Issues a licence that this installation can verify without calling the service, see
     * OfflineLicence::verify().
     *
     * @return string the licence; store it, and get a new licence before it expires
     */
    public function issueLicence(string $code, string $place, bool $isMachine = false): string
    {
        [$status, $given] = $this->callAbout('/api/v1/licences', $code, $place, $isMachine);
        if ($status === 200 && is_string($given['data']['licence'] ?? null)) {
            return $given['data']['licence'];
        }
        throw $this->failureOf($status, $given);
    }

    /**
     * How long a verdict is cached. The default is a day for a valid code, and five minutes for an invalid
     * code.
     */
    private function secondsOf(Answer $answer): int
    {
        return $answer->valid
            ? $this->options['cache_seconds'] ?? 86400
            : $this->options['refusal_seconds'] ?? 300;
    }

    /** @param array<string, string> $more */
    private function ask(string $code, array $more): Answer
    {
        [$status, $given] = $this->call('/api/purchases/validation', ['purchase_code' => $code] + $more);
        if ($status === 200 && $given['status'] === 'success' && isset($given['data']['purchase'])) {
            $this->requireSameCode($code, (string) ($given['data']['purchase']['purchase_code'] ?? ''));
            return new Answer(true, '', $given['data']['purchase'], 'service', time());
        }
        $reason = (string) ($given['code'] ?? 'unknown');
        // With an API key for old plug-ins, the service answers every verdict with HTTP 200.
        if (($status === 404 || $status === 200) && in_array($reason, self::VERDICTS, true)) {
            return new Answer(false, $reason, [], 'service', time());
        }
        throw $this->failureOf($status, $given);
    }

    /**
     * Refuses a signed answer about a different code. Without this check, a forged host could answer with a
     * genuine signed answer about a valid code. PHP cannot compare letters beyond ASCII without an
     * extension, so codes with such letters are not checked.
     */
    private function requireSameCode(string $asked, string $answered): void
    {
        $isAscii = preg_match('/[^\x20-\x7e]/', $asked . $answered) !== 1;
        if (isset($this->options['public_keys']) && $isAscii && strcasecmp($asked, $answered) !== 0) {
            throw new Unavailable('The answer is about another code.', 'signature_invalid');
        }
    }

    /** @return array{int, array<string, mixed>} */
    private function callAbout(string $path, string $code, string $place, bool $isMachine): array
    {
        $field = $isMachine ? 'machine_id' : 'domain';
        return $this->call($path, ['purchase_code' => trim($code), $field => $place]);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array{int, array<string, mixed>}
     */
    private function call(string $path, array $fields): array
    {
        [$status, $text] = $this->post($path, (string) json_encode($fields, JSON_INVALID_UTF8_SUBSTITUTE));
        $given = json_decode($text, true);
        if (!is_array($given) || !isset($given['status'])) {
            throw new Unavailable('The response does not come from the service.', 'unreadable');
        }
        return [$status, $given];
    }

    /** @param array<string, mixed> $given */
    private function failureOf(int $status, array $given): Failure
    {
        $reason = (string) ($given['code'] ?? 'unknown');
        $id = (string) ($given['request_id'] ?? '');
        $message = (string) ($given['msg'] ?? 'The service refused the call.');
        $isTheirs = $status >= 500 || $status === 429 || $status === 408;
        return $isTheirs ? new Unavailable($message, $reason, $id) : new Refused($message, $reason, $id);
    }

    /** @return array{int, string} */
    private function post(string $path, string $body): array
    {
        $seconds = $this->options['timeout_seconds'] ?? 5.0;
        $nonce = isset($this->options['public_keys']) ? bin2hex(random_bytes(16)) : '';
        $sent = $nonce === '' ? '' : "X-Nonce: $nonce\r\n";
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            // HTTP 1.0 is used, because PHP's filter for chunked encoding would wait for further data.
            'protocol_version' => 1.0,
            'header' => "Content-Type: application/json\r\nX-Api-Key: {$this->apiKey}\r\n{$sent}Connection: close\r\n",
            'content' => $body,
            'timeout' => $seconds,
            'ignore_errors' => true,
            'follow_location' => 0,
            'user_agent' => 'counterfoil-php/1',
        ]]);
        $stream = @fopen($this->url . $path, 'rb', false, $context);
        if ($stream === false) {
            throw new Unavailable('The service cannot be reached.', 'unreachable');
        }
        $text = $this->read($stream, microtime(true) + $seconds);
        $headers = stream_get_meta_data($stream)['wrapper_data'] ?? [];
        $first = $headers[0] ?? '';
        fclose($stream);
        if ($text === null || preg_match('#^HTTP/\S+ (\d{3})#', (string) $first, $match) !== 1) {
            throw new Unavailable('The service did not answer in time.', 'timeout');
        }
        $status = (int) $match[1];
        $isVerdict = intdiv($status, 100) === 2 || $status === 404 || $status === 409;
        if ($nonce !== '' && $isVerdict && !$this->isSigned($status, $text, $headers, $nonce)) {
            throw new Unavailable('The answer is not signed with a known key of the service.', 'signature_invalid');
        }
        return [$status, $text];
    }

    /**
     * Whether the answer belongs to the nonce and was signed by the service (RFC 9421).
     *
     * @param array<int, string> $headers
     */
    private function isSigned(int $status, string $text, array $headers, string $nonce): bool
    {
        $input = $this->headerOf($headers, 'signature-input');
        $form = '/^sig=(\("@status" "content-digest" "x-nonce";req\);created=\d{1,12};keyid="([\w-]{43})";'
            . 'alg="ed25519";tag="counterfoil-answer")$/D';
        $signature = base64_decode(substr($this->headerOf($headers, 'signature'), 5, -1), true);
        if (preg_match($form, $input, $match) !== 1 || $signature === false) {
            return false;
        }
        $digest = 'sha-256=:' . base64_encode(hash('sha256', $text, true)) . ':';
        $content = "\"@status\": $status\n\"content-digest\": $digest\n"
            . "\"x-nonce\";req: $nonce\n\"@signature-params\": $match[1]";
        return OfflineLicence::isSigned($content, $signature, $match[2], $this->options['public_keys']);
    }

    /** @param array<int, string> $headers */
    private function headerOf(array $headers, string $name): string
    {
        foreach ($headers as $line) {
            if (stripos($line, "$name:") === 0) {
                return trim(substr($line, strlen($name) + 1));
            }
        }
        return '';
    }

    /**
     * Reads the whole response within a time limit. The timeout of a PHP stream limits only a single read.
     *
     * @param resource $stream
     */
    private function read($stream, float $until): ?string
    {
        $text = '';
        while (!feof($stream)) {
            $left = $until - microtime(true);
            if ($left <= 0 || strlen($text) > self::MAX_ANSWER_BYTES) {
                return null;
            }
            stream_set_timeout($stream, (int) $left, (int) (fmod($left, 1) * 1e6));
            $part = fread($stream, 8192);
            if ($part === false || stream_get_meta_data($stream)['timed_out']) {
                return null;
            }
            $text .= $part;
        }
        return $text;
    }

    private function remember(string $code): ?Answer
    {
        $text = @file_get_contents($this->fileOf($code));
        $kept = is_string($text) ? json_decode($text, true) : null;
        if (!is_array($kept) || !is_bool($kept['valid'] ?? null) || !is_int($kept['checked_at'] ?? null)) {
            return null;
        }
        $purchase = is_array($kept['purchase'] ?? null) ? $kept['purchase'] : [];
        return new Answer($kept['valid'], (string) ($kept['reason'] ?? ''), $purchase, 'cache', $kept['checked_at']);
    }

    /** Caches the verdict. If the cache cannot be written, the next call asks the service again. */
    private function keep(string $code, Answer $answer): void
    {
        if (!is_dir($this->cacheFolder) && !@mkdir($this->cacheFolder, 0700, true) && !is_dir($this->cacheFolder)) {
            return;
        }
        $text = json_encode([
            'valid' => $answer->valid,
            'reason' => $answer->reason,
            'purchase' => array_diff_key($answer->purchase, ['purchase_code' => 0]),
            'checked_at' => $answer->checkedAt,
        ]);
        $file = $this->fileOf($code);
        $new = $file . '.' . bin2hex(random_bytes(6));
        if (@file_put_contents($new, (string) $text) === false || !@chmod($new, 0600) || !@rename($new, $file)) {
            @unlink($new);
        }
    }

    /**
     * The name of a cache file is a keyed hash of the code in lower case, so neither the API key nor a
     * code is on the disk.
     */
    private function fileOf(string $code): string
    {
        return $this->cacheFolder . '/' . hash_hmac('sha256', strtolower($code), $this->apiKey) . '.json';
    }
}
