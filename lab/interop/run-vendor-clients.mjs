// Runs the published clients of Envato, Gumroad and Lemon Squeezy, and prints what each of them returns.
import { activateLicense, deactivateLicense, validateLicense } from '@lemonsqueezy/lemonsqueezy.js';
import { Client } from 'envato';
import Gumroad from 'gumroad-api';

const { baseUrl, product, codes } = JSON.parse(process.argv[2]);

/** Runs a call for every code, one after the other. */
async function forEachCode(call) {
  const results = {};
  for (const [name, code] of Object.entries(codes)) results[name] = await call(code);
  return results;
}

// The option `sandbox` makes the client call another base address.
const envato = new Client({ token: 'unused', sandbox: baseUrl });
const sales = await forEachCode(async (code) => {
  const sale = await envato.private.getSale(code);
  return sale ? { item: sale.item.name, license: sale.license, soldAt: sale.sold_at } : null;
});

const gumroad = new Gumroad({ host: `${baseUrl}/v2` });
const verified = await forEachCode((code) =>
  gumroad.verifyLicense(product, code).then(
    ({ uses, purchase }) => ({ uses, product: purchase.product_name, refunded: purchase.refunded }),
    ({ message, statusCode }) => ({ message, statusCode }),
  ),
);

// The client of Lemon Squeezy has no setting for the host, so this replaces the host in `fetch`.
const { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(String(url).replace('https://api.lemonsqueezy.com', baseUrl), init);
const summarise = ({ statusCode, data, error }) => ({
  statusCode,
  ...(data && { valid: data.valid, activated: data.activated, deactivated: data.deactivated }),
  ...(data && { status: data.license_key?.status, used: data.license_key?.activation_usage }),
  ...(error && { refused: error.cause }),
});
const lemonSqueezy = {
  validated: await forEachCode(async (code) => summarise(await validateLicense(code))),
};
const first = await activateLicense(codes.valid, 'shop.example');
lemonSqueezy.activated = summarise(first);
lemonSqueezy.limited = summarise(await activateLicense(codes.valid, 'other.example'));
const { id } = first.data.instance;
lemonSqueezy.instance = summarise(await validateLicense(codes.valid, id));
lemonSqueezy.deactivated = summarise(await deactivateLicense(codes.valid, id));

process.stdout.write(JSON.stringify({ envato: sales, gumroad: verified, lemonSqueezy }));
