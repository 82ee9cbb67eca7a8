// A Node script without dependencies: validates a purchase code and credits a player's wallet.
//
//   node docs/guide/examples/script.mjs <purchase code> <player id> <transaction id>
//
// The script reads the environment variables LICENSING_URL, LICENSING_KEY, WALLET_URL, WALLET_UID, WALLET_KEY
// and WALLET_SECRET.

const { LICENSING_URL, LICENSING_KEY, WALLET_URL, WALLET_UID, WALLET_KEY, WALLET_SECRET } = process.env;
const [code, player, transactionId] = process.argv.slice(2);

async function call(url, headers, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
  });
  return await response.json();
}

const wallet = (operation, body) =>
  call(
    `${WALLET_URL}/api/v1/${operation}`,
    { 'x-uid': WALLET_UID, 'x-api-key': WALLET_KEY, 'x-api-secret': WALLET_SECRET },
    body,
  );

/**
 * Sends the transfer up to six times, until there is an answer that is not retryable. If there is no answer,
 * the money may have moved. A repeat is safe, because the wallet applies each transaction id at most once.
 */
async function move(transfer) {
  for (let waitMs = 500; ; waitMs *= 2) {
    const unknown = { status: 'error', code: 'outcome_unknown', retryable: true };
    const answer = await wallet('user/update_balance', transfer).catch(() => unknown);
    if (!answer.retryable || waitMs > 8000) return answer;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

const say = (line) => process.stdout.write(`${line}\n`);

const answer = await call(
  `${LICENSING_URL}/api/purchases/validation`,
  { 'x-api-key': LICENSING_KEY },
  { purchase_code: code },
);
if (answer.status === 'success') {
  say(`valid: ${answer.data.purchase.item.name}`);
  await wallet('user/create', { player_id: player });
  const moved = await move({
    player_id: player,
    type: 'credit',
    amount: '5.00',
    transaction_id: transactionId,
  });
  if (moved.status === 'success') say(`balance: ${moved.data.balance}`);
  else say(`not moved: ${moved.code}`);
} else {
  say(`not valid: ${answer.code}`);
}
