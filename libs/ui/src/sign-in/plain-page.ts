// The sign-in page, built without the libraries of the panel, so that a slow phone shows it after a few
// kilobytes.
import { describeProblem, isProblem } from '../api/problem.ts';
import { post } from '../api/request.ts';
import { language } from '../language.ts';
import { isOwnPath } from '../shared-paths.ts';
import { words } from '../strings.ts';
import { make, makeBrand, makeField, makePasswordField } from './plain-parts.ts';
import './plain-page.css';

/**
 * Fetches the files of the panel while the person types. A failure is harmless, because the panel fetches
 * missing files itself.
 */
async function fetchPanel(): Promise<void> {
  try {
    const page = await (await fetch('/')).text();
    const files = page.match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? [];
    await Promise.all([...new Set(files)].map((file) => fetch(file, { priority: 'low' })));
  } catch {
    // If the service is not reachable, the error is shown when the person signs in.
  }
}

const text = words.signIn;

/** Applies the colour scheme that the panel has stored, or otherwise the colour scheme of the system. */
function applyScheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // If the storage is blocked, the colour scheme of the system applies.
  }
  if (stored === 'light' || stored === 'dark') document.documentElement.style.colorScheme = stored;
}

const wanted = new URLSearchParams(window.location.search).get('to');

type Step = 'password' | 'code' | 'lost';

/** The texts of each step: the password, the second factor, and the request of a new password. */
const stepTexts: Record<Step, { title: string; hint: string; button: string }> = {
  password: { title: text.title, hint: isOwnPath(wanted) ? text.goOn : '', button: text.title },
  code: { title: text.codeTitle, hint: text.codeText, button: text.verify },
  lost: { title: text.lost, hint: text.lostText, button: text.lostSend },
};

/** Requests a link for a new password. Returns the error message, or undefined after a success. */
async function askForLink(email: string): Promise<string | undefined> {
  try {
    await post('/panel/password-resets', { email });
    return undefined;
  } catch (error) {
    return isProblem(error, 'mail_off') ? text.lostOff : describeProblem(error);
  }
}

function makeForm() {
  const alert = make('div', { class: 'alert', role: 'alert' });
  const email = makeField({ label: text.email, type: 'email', autocomplete: 'username' });
  const password = makePasswordField(text.password);
  const code = makeField({ label: text.code, type: 'text', autocomplete: 'one-time-code' });
  const button = make('button', { type: 'submit' });
  const back = make('button', { type: 'button', class: 'quiet' }, text.back);
  const lost = make('button', { type: 'button', class: 'quiet' }, text.lost);
  const sent = make('p', { class: 'small', role: 'status' });
  const form = make('form', {}, alert, email.root, password.root, code.root, button, back, lost, sent);
  return { alert, email, password, code, button, back, lost, sent, form };
}

function showPage(root: HTMLElement, panelName: string): void {
  const title = make('h1');
  const hint = make('p', { class: 'hint' });
  const { alert, email, password, code, button, back, lost, sent, form } = makeForm();
  let current: Step = 'password';

  const show = (step: Step): void => {
    current = step;
    const shown = stepTexts[step];
    title.textContent = shown.title;
    hint.textContent = shown.hint;
    button.textContent = shown.button;
    const fields = [
      [email, step !== 'code'],
      [password, step === 'password'],
      [code, step === 'code'],
    ] as const;
    for (const [field, isShown] of fields) {
      field.root.hidden = !isShown;
      field.input.required = isShown;
    }
    back.hidden = step === 'password';
    lost.hidden = step !== 'password';
    alert.textContent = '';
    sent.textContent = '';
    (step === 'code' ? code : email).input.focus();
  };

  const requestLink = async (): Promise<void> => {
    sent.textContent = '';
    const problem = await askForLink(email.input.value);
    if (problem === undefined) sent.textContent = text.lostSent;
    else alert.textContent = problem;
    button.disabled = false;
  };
  const send = async (): Promise<void> => {
    const given = { email: email.input.value, password: password.input.value };
    try {
      await post('/panel/session', {
        ...given,
        ...(current === 'code' && { code: code.input.value.trim() }),
      });
      window.location.replace(isOwnPath(wanted) ? wanted : '/');
    } catch (error) {
      button.disabled = false;
      if (isProblem(error, 'second_factor_required')) show('code');
      else alert.textContent = describeProblem(error);
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The request is already running, so a second click is ignored.
    if (button.disabled) return;
    button.disabled = true;
    alert.textContent = '';
    void (current === 'lost' ? requestLink() : send());
  });
  back.addEventListener('click', () => {
    password.input.value = '';
    code.input.value = '';
    show('password');
  });
  lost.addEventListener('click', () => show('lost'));
  form.addEventListener('input', fetchPanel, { once: true });
  const heading = make('header', {}, title, hint);
  root.append(makeBrand(panelName), make('section', {}, heading, make('hr'), form));
  show('password');
}

applyScheme();
document.documentElement.lang = language;
const root = document.getElementById('sign-in') as HTMLElement;
const { name = '', nameDe = name } = root.dataset;
const panelName = language === 'de' ? nameDe : name;
document.title = `${text.title} · ${panelName}`;
showPage(root, panelName);
