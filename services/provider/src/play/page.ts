// The page of a game, and the page for a used link; scripts and styles come from files.
import type { Launch } from '../launches/launch.ts';

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

/** Allows no inline script or style and no other origin. Operators may show the game in a frame. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

const head = (title: string) =>
  '<meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">' +
  `<meta name="color-scheme" content="dark"><title>${escapeHtml(title)}</title>` +
  ['game', 'reels', 'picks'].map((name) => `<link rel="stylesheet" href="/assets/${name}.css">`).join('');

export function renderGamePage({ game, mode, language }: Launch): string {
  const name = escapeHtml(game.name);
  const picture = (file: string) => `/pictures/${game.id}/${file}.svg`;
  const badge = mode === 'demo' ? '<span class="badge">Play money</span>' : '';
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>${head(`${game.name} · ${game.studio}`)}
<link rel="icon" href="${picture('square')}"><script type="module" src="/assets/game.js"></script></head>
<body class="${game.machine.kind === 'slot' ? 'slot' : game.machine.model.kind}">
<img class="backdrop" src="${picture('scene')}" alt="">
<main id="game" aria-busy="true">
<header><a id="leave" class="quiet" aria-label="Leave the game" hidden>&#8592; <span>Leave</span></a>
<h1>${name}${badge}</h1><button id="rules" class="quiet" type="button">Paytable</button></header>
<section id="stage" aria-label="${name}"></section>
<p id="message" role="status" aria-live="polite">One moment …</p>
<section id="console" aria-label="Controls">
<dl class="figures">\
<div><dt>Balance</dt><dd id="balance">–</dd></div><div><dt>Win</dt><dd id="win">–</dd></div></dl>
<div class="stake" role="group" aria-label="Stake">\
<button id="less" type="button" aria-label="Smaller stake">&#8722;</button>
<output id="bet" aria-live="off">–</output>\
<button id="more" type="button" aria-label="Larger stake">+</button></div>
<button id="spin" type="button" disabled>Spin</button>
</section></main>
<dialog id="paytable" aria-labelledby="paytable-title"></dialog>
<noscript>This game needs JavaScript.</noscript>
</body></html>`;
}

export const renderSpentPage = (): string => `<!doctype html>
<html lang="en"><head>${head('This link no longer works')}</head>
<body class="notice"><main class="card"><h1>This link no longer works</h1>
<p>The address of a game works once and for two minutes. \
Go back to the site that you came from and open the game again.</p>
</main></body></html>`;
