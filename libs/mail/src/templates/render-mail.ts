// Renders a message as text and as HTML in the style of the panels.
import type { Language } from '@counterfoil/kit/http/headers';
import type { MailContent, RenderedMail } from '../message.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import type { MailWords, TemplateContext, Templates } from './words.ts';

const templates: Record<Language, Templates> = { en: english, de: german };
const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** The service that sends the message: its name, and the address of its panel. */
export interface Sender {
  readonly service: string;
  readonly publicUrl: string;
}

export function renderMail(content: MailContent, language: Language, sender: Sender): RenderedMail {
  const format = (options: Intl.DateTimeFormatOptions) => (iso: string) =>
    new Intl.DateTimeFormat(locales[language], { timeZone: 'UTC', ...options }).format(new Date(iso));
  const context: TemplateContext = {
    service: sender.service,
    formatTime: (iso) => `${format({ dateStyle: 'long', timeStyle: 'short' })(iso)} UTC`,
    formatDate: format({ dateStyle: 'long' }),
  };
  const write = templates[language][content.kind] as (values: unknown, given: TemplateContext) => MailWords;
  const words = write(content.values, context);
  return {
    subject: words.subject,
    text: renderText(words, sender),
    html: renderHtml(words, language, sender),
  };
}

function renderText({ paragraphs, list = [], button, note, unsubscribe }: MailWords, sender: Sender): string {
  const blocks = [
    ...paragraphs,
    list.map((line) => `- ${line}`).join('\n'),
    `${button.label}:\n${button.url}`,
    note ?? '',
    unsubscribe ? `${unsubscribe.label}:\n${unsubscribe.url}` : '',
    `-- \n${sender.service} · ${sender.publicUrl}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => entities[each] ?? each);

const font = 'font-family:ui-sans-serif,system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const ink = '#1b201d';
const quiet = '#59645e';
const pine = '#18704f';

const renderSmallLink = ({ label, url }: { label: string; url: string }, style: string): string =>
  `<p style="${style}"><a href="${escapeHtml(url)}" style="color:${quiet}">${escapeHtml(label)}</a></p>`;

/**
 * Mail programs remove style sheets, so every element has its own style. The message loads no files from a
 * server.
 */
function renderHtml(words: MailWords, language: Language, sender: Sender): string {
  const { subject, paragraphs, list = [], button, note, unsubscribe } = words;
  const paragraph = (text: string) => `<p style="margin:0 0 14px">${escapeHtml(text)}</p>`;
  const items = list.map((line) => `<li style="margin:0 0 6px">${escapeHtml(line)}</li>`).join('');
  const url = escapeHtml(button.url);
  const small = `margin:16px 0 0;color:${quiet};font-size:13px`;
  const page = `margin:0;padding:24px 12px;background:#fafbf9;color:${ink};${font};font-size:16px`;
  const title = 'margin:0 0 16px;padding:0 0 16px;border-bottom:2px dashed #e3e7e2;font-size:19px';
  const action =
    `display:inline-block;padding:10px 18px;border-radius:8px;background:${pine};color:#ffffff;` +
    'font-weight:600;text-decoration:none';
  const heading = escapeHtml(subject);
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${heading}</title></head>
<body style="${page}">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 16px;text-align:center;font-size:15px;color:${pine}"><strong>Counterfoil</strong></p>
<div style="padding:24px;background:#ffffff;border:1px solid #e3e7e2;border-radius:8px">
<h1 style="${title}">${heading}</h1>
${paragraphs.map(paragraph).join('\n')}
${items === '' ? '' : `<ul style="margin:0 0 14px;padding:0 0 0 20px">${items}</ul>`}
<p style="margin:20px 0"><a href="${url}" style="${action}">${escapeHtml(button.label)}</a></p>
<p style="margin:0;color:${quiet};font-size:13px;word-break:break-all">${url}</p>
${note === undefined ? '' : `<p style="${small}">${escapeHtml(note)}</p>`}
${unsubscribe === undefined ? '' : renderSmallLink(unsubscribe, small)}
</div>
<p style="${small};text-align:center">${escapeHtml(sender.service)} · ${escapeHtml(sender.publicUrl)}</p>
</div>
</body>
</html>
`;
}
