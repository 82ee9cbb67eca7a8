<?php
// A plain PHP page: it credits a player's wallet with 5.00 for a valid purchase code, once per code.
//
//   php -S 127.0.0.1:8080 docs/guide/examples/page.php
//
// The page reads the environment variables LICENSING_URL, LICENSING_KEY, WALLET_URL, WALLET_UID, WALLET_KEY
// and WALLET_SECRET.

declare(strict_types=1);

/** Returns the JSON answer of a service, or null if the service gave no JSON answer. */
function call(string $url, array $headers, array $body): ?array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', ...$headers],
        'content' => json_encode($body),
        'timeout' => 5,
        'ignore_errors' => true,
    ]]);
    $text = @file_get_contents($url, false, $context);
    return json_decode((string) $text, true);
}

function validate(string $code): ?array
{
    $headers = ['X-Api-Key: ' . getenv('LICENSING_KEY')];
    $url = getenv('LICENSING_URL') . '/api/purchases/validation';
    return call($url, $headers, ['purchase_code' => $code]);
}

function wallet(string $operation, array $body): ?array
{
    $headers = [
        'X-UID: ' . getenv('WALLET_UID'),
        'X-API-KEY: ' . getenv('WALLET_KEY'),
        'X-API-SECRET: ' . getenv('WALLET_SECRET'),
    ];
    return call(getenv('WALLET_URL') . "/api/v1/$operation", $headers, $body);
}

function redeem(string $code, string $player): string
{
    $answer = validate($code);
    if (($answer['status'] ?? '') !== 'success') {
        return 'This code is not valid: ' . ($answer['code'] ?? 'ask again later');
    }
    wallet('user/create', ['player_id' => $player]);
    // The transaction id depends only on the code, so that the wallet pays once if the form is sent twice.
    $moved = wallet('user/update_balance', [
        'player_id' => $player,
        'type' => 'credit',
        'amount' => '5.00',
        'transaction_id' => 'bonus-' . hash('sha256', strtolower(trim($code))),
    ]);
    if (($moved['status'] ?? '') !== 'success') {
        return 'Not paid: ' . ($moved['code'] ?? 'send the form again');
    }
    $item = $answer['data']['purchase']['item']['name'];
    $again = $moved['data']['duplicate'] ? ' (paid before)' : '';
    return "Thank you for $item. Your balance is {$moved['data']['balance']}$again.";
}

$code = (string) ($_POST['purchase_code'] ?? '');
$message = $code === '' ? 'Enter your purchase code.' : redeem($code, (string) ($_POST['player_id'] ?? ''));
?>
<!doctype html>
<title>Bonus</title>
<p><?= htmlspecialchars($message) ?></p>
<form method="post">
  <input name="purchase_code" required>
  <input name="player_id" required>
  <button>Redeem</button>
</form>
