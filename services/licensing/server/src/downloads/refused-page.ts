// The page that is shown if a download link is not valid. It has no script and is in English and German.
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; \
background: light-dark(#fafbf9, #131614);
  color: light-dark(#1b201d, #e6e9e7); \
font: 16px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { box-sizing: border-box; width: 100%; max-width: 480px; padding: 16px; }
.brand { display: flex; gap: 8px; align-items: center; justify-content: center; \
margin: 0 0 20px; font-size: 15px; }
.brand span { color: light-dark(#59645e, #a5ada9); }
section { padding: 24px; border: 1px solid light-dark(#e3e7e2, #2c322f); border-radius: 10px;
  background: light-dark(#ffffff, #1a1e1c); }
h1, h2 { margin: 0 0 4px; font-size: 18px; line-height: 1.35; }
p { margin: 0; }
hr { margin: 20px 0; border: 0; border-top: 2px dotted light-dark(#d2d8d2, #353b38); }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const refusedPageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  vary: 'accept',
  'x-content-type-options': 'nosniff',
};

const texts = {
  expired: {
    title: 'This download link has expired',
    text: 'Ask the seller for a new link.',
    titel: 'Dieser Download-Link ist abgelaufen',
    deutsch: 'Bitten Sie den Verkäufer um einen neuen Link.',
  },
  invalid: {
    title: 'This download link does not work',
    text:
      'The link is incomplete, or the purchase is no longer active. ' +
      'Open the link exactly as you got it, or ask the ' +
      'seller for a new one.',
    titel: 'Dieser Download-Link funktioniert nicht',
    deutsch:
      'Der Link ist unvollständig, oder der Kauf ist nicht mehr gültig. ' +
      'Öffnen Sie den Link genau so, wie Sie ihn ' +
      'erhalten haben, oder bitten Sie den Verkäufer um einen neuen.',
  },
} as const;

const mark =
  '<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">' +
  '<rect x="2" y="6" width="28" height="20" rx="4" fill="#18704f"/>' +
  '<line x1="12" y1="8" x2="12" y2="24" stroke="#fff" stroke-width="2" stroke-dasharray="2 3" ' +
  'stroke-linecap="round"/>' +
  '<path d="M17.5 16.2l2.6 2.6 5-5.4" fill="none" stroke="#fff" stroke-width="2.4" ' +
  'stroke-linecap="round"/></svg>';

/** Writes the page. The page contains no text of the request, so a link cannot inject HTML. */
export function writeRefusedPage(reason: keyof typeof texts): string {
  const { title, text, titel, deutsch } = texts[reason];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="brand">${mark}<strong>Counterfoil</strong> <span>Licensing</span></p>
<section>
<h1>${title}</h1>
<p>${text}</p>
<hr>
<div lang="de">
<h2>${titel}</h2>
<p>${deutsch}</p>
</div>
</section>
</main>
</body>
</html>
`;
}

/**
 * Whether the client wants the HTML page. A browser that opens a link lists HTML in its Accept
 * header; a program lists JSON or accepts any type. `;q=0` excludes a type.
 */
export function wantsPage(accept = ''): boolean {
  const types = accept
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map((each) => each.split(';', 1)[0]?.trim());
  return types.includes('text/html') && !types.includes('application/json');
}
