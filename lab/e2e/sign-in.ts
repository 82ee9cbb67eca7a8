// Signs a person in by the panel's own form.
import type { Page } from 'playwright-core';

export async function signIn(
  page: Page,
  person: { email: string; password: string },
): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in' && url.pathname !== '/');
}
