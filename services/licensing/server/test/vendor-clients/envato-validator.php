<?php
// Verifies purchase codes as published validators of Envato's codes do: the form of the code, the request
// with its headers, the status, and the fields of the sale. Uses PHP streams, which need no extension.

function verify(string $host, string $token, array $style, string $given): array
{
    $code = trim($given);
    if (!preg_match('/^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}$/i', $code)) {
        return ['error' => 'not the form of a code'];
    }
    $context = stream_context_create(['http' => [
        'method' => 'GET',
        'header' => ["Authorization: {$style['scheme']} {$token}", ...$style['headers']],
        'protocol_version' => $style['version'],
        'ignore_errors' => true,
        'timeout' => 300,
    ]]);
    $text = file_get_contents("{$host}/v3/market/author/sale?code={$code}", false, $context);
    $status = (int) explode(' ', $http_response_header[0] ?? '')[1];
    $body = json_decode($text === false ? '' : $text);
    if ($status !== 200) {
        return ['status' => $status, 'error' => $body->error ?? null, 'text' => $body->description ?? null];
    }
    $support = $body->supported_until ?? null;
    return [
        'status' => $status,
        'item' => $body->item->id,
        'name' => $body->item->name,
        'licence' => $body->license,
        'year' => date('Y', strtotime($body->sold_at)),
        'supported' => $support !== null && strtotime($support) > time(),
        'amount' => (float) $body->amount,
        'buyer' => $body->buyer,
    ];
}

[, $host, $token, $style, $codes] = $argv;
$style = json_decode($style, true);
$check = fn (string $code) => verify($host, $token, $style, $code);
echo json_encode(array_map($check, json_decode($codes, true)));
