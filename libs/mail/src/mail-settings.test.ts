// The settings of mail: the accepted values, and the mode that follows from them (SMTP, mailbox or off).
import { readConfig } from '@counterfoil/kit/process/config';
import { expect, it } from 'vitest';
import { checkMailSettings, mailSettings, presentMailSettings } from './mail-settings.ts';

const read = (env: Record<string, string>) => readConfig(env, mailSettings, checkMailSettings);
const modeOf = (env: Record<string, string>, DEMO: string, NODE_ENV: string) =>
  presentMailSettings({ ...read(env), DEMO, NODE_ENV }).mode;
const MAIL_FROM = 'Counterfoil <mail@example.com>';

it('SMTP_URL is parsed: its protocol sets the port, and its credentials are percent-decoded', () => {
  const url = 'smtp://desk%40example:p%25ss@mail.example';
  const auth = { user: 'desk@example', pass: 'p%ss' };
  const server = { host: 'mail.example', port: 587, secure: false, auth };
  expect(read({ SMTP_URL: url, MAIL_FROM }).SMTP_URL).toEqual(server);
  const implicit = read({ SMTP_URL: 'smtps://[::1]', MAIL_FROM }).SMTP_URL;
  expect(implicit).toEqual({ host: '::1', port: 465, secure: true, auth: undefined });
});

it.each([
  'http://user:secret@mail.example',
  'smtp://user@mail.example',
  'smtp://user:secret@mail.example/path',
  'smtp://user:secret@mail.example:0',
  'smtp://user:%secret@mail.example',
  'mail.example secret',
])('the error for the invalid SMTP URL %s does not repeat the URL', (SMTP_URL) => {
  const attempt = () => read({ SMTP_URL, MAIL_FROM });
  expect(attempt).toThrow(/SMTP_URL must/);
  expect(attempt).not.toThrow(/secret/);
});

it('MAIL_FROM is required with SMTP_URL, and is one e-mail address with or without a name', () => {
  expect(() => read({ SMTP_URL: 'smtp://mail.example' })).toThrow('MAIL_FROM is required');
  expect(read({ MAIL_FROM }).MAIL_FROM).toEqual({ name: 'Counterfoil', address: 'mail@example.com' });
  expect(read({ MAIL_FROM: 'mail@example.com' }).MAIL_FROM).toEqual({
    name: '',
    address: 'mail@example.com',
  });
  for (const wrong of ['nobody', 'a@b <c', 'a@b, c@d', 'A\r\nBcc: x@y <a@b>']) {
    expect(() => read({ MAIL_FROM: wrong })).toThrow('MAIL_FROM must');
  }
});

it('without SMTP, a demo outside production keeps mail in a mailbox; other services send none', () => {
  const smtp = { SMTP_URL: 'smtp://mail.example', MAIL_FROM };
  expect(modeOf(smtp, 'on', 'development')).toBe('smtp');
  expect(modeOf({}, 'on', 'development')).toBe('mailbox');
  expect(modeOf({}, 'on', 'production')).toBe('off');
  expect(modeOf({}, 'off', 'development')).toBe('off');
});
