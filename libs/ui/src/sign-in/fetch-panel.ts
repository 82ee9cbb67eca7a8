// Fetches the panel's files into the browser's cache while somebody types a password.

/** The panel's own page names its files. Failing costs nothing: the panel fetches what it needs. */
export async function fetchPanel(): Promise<void> {
  try {
    const page = await (await fetch('/')).text();
    const files = page.match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? [];
    await Promise.all([...new Set(files)].map((file) => fetch(file, { priority: 'low' })));
  } catch {
    // The service is away: signing in will say so.
  }
}
