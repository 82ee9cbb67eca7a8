// The validation call as code in four languages.

export interface Sample {
  readonly title: string;
  readonly code: string;
}

/** These functions write a text as a string literal of the shell or of PHP. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const php = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function writeSamples(given: { origin: string; key: string; code: string }): Sample[] {
  const url = `${given.origin}/api/purchases/validation`;
  const { key, code } = given;
  return [
    {
      title: 'curl',
      code: `curl -X POST ${shell(url)} \\
  -H ${shell(`X-Api-Key: ${key}`)} \\
  --data-urlencode ${shell(`purchase_code=${code}`)}`,
    },
    {
      title: 'JavaScript',
      code: `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    'X-Api-Key': ${JSON.stringify(key)},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ purchase_code: ${JSON.stringify(code)} }),
});
const answer = await response.json();
if (answer.status === 'success') {
  console.log(answer.data.purchase.license_type);
} else {
  console.log(answer.code, answer.msg);
}`,
    },
    {
      title: 'PHP',
      code: `<?php
$call = curl_init(${php(url)});
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
    CURLOPT_HTTPHEADER => [${php(`X-Api-Key: ${key}`)}],
    CURLOPT_POSTFIELDS => http_build_query(['purchase_code' => ${php(code)}]),
]);
$answer = json_decode(curl_exec($call), true);
$valid = ($answer['status'] ?? '') === 'success';
echo $valid ? $answer['data']['purchase']['license_type'] : $answer['msg'] ?? 'No answer', PHP_EOL;`,
    },
    {
      title: 'Python',
      code: `import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps({"purchase_code": ${JSON.stringify(code)}}).encode(),
    headers={"X-Api-Key": ${JSON.stringify(key)}, "Content-Type": "application/json"},
)
try:
    answer = json.load(urllib.request.urlopen(request, timeout=10))
except urllib.error.HTTPError as refused:
    answer = json.load(refused)
if answer["status"] == "success":
    print(answer["data"]["purchase"]["license_type"])
else:
    print(answer["code"], answer["msg"])`,
    },
  ];
}
