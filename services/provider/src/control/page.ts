// The page of the control API. It shows nothing until the token is entered.

export const controlPageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const targets = ['private', 'public', 'shared'];

export const controlPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">\
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark"><title>Provider control</title>
<link rel="stylesheet" href="/assets/control.css">\
<script type="module" src="/assets/control.js"></script></head>
<body><main><h1>Provider control</h1>
<form id="enter"><label>Control token <input id="token" type="password" autocomplete="off" required></label>
<button>Open</button></form><p id="message" role="status"></p>
<div id="desk" hidden><section><h2>Faults</h2><form id="faults">
${targets.map((target) => `<label>${target} <select name="${target}"></select></label>`).join('\n')}
<label>lose answers <input name="lose_answers" type="number" min="0" max="100" value="0"></label>
<label>delay callbacks (ms) \
<input name="delay_callbacks_ms" type="number" min="0" max="60000" value="0"></label>
<label><input name="duplicate_callbacks" type="checkbox"> duplicate callbacks</label>
<label><input name="reorder_callbacks" type="checkbox"> reorder callbacks</label>
<label>for seconds \
<input name="for_seconds" type="number" min="1" max="86400" placeholder="until changed"></label>
<div><button>Apply</button> <button type="button" id="clear">All off</button></div></form>\
<p id="until"></p></section>
<section><h2>Protocols</h2><p>The games of a package use the wallet’s own protocol, or that of a connection. \
A round that has begun keeps its protocol.</p><div id="protocols"></div>
<form id="connection"><label>new connection: an entry of wallet.connections of npm run credentials \
<textarea name="entry" rows="3" spellcheck="false" autocomplete="off" required></textarea></label>
<div><button>Add connection</button></div></form></section>
<section><h2>Storm</h2><form id="storm"><label>package UID <input name="uid" required></label>
<label>count <input name="count" type="number" min="1" max="1000" value="100"></label>
<label>parallel <input name="parallel" type="number" min="1" max="64" value="16"></label>
<div><button>Send the last callback again</button></div></form><p id="tally"></p></section>
<section><h2>Deliveries</h2><p id="pending"></p>\
<div class="wide"><table><thead><tr><th>At</th><th>Package</th><th>Protocol</th><th>Action</th>
<th>Transaction</th><th>Attempt</th><th>Status</th><th>Verdict</th><th>ms</th></tr></thead>\
<tbody id="deliveries"></tbody></table></div>
</section></div></main></body></html>`;
