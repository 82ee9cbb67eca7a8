// A large catalogue is parsed outside the main thread, and an invalid catalogue is reported.
import { describe, expect, it } from 'vitest';
import { maxDirectBytes, readCatalogue } from './read-catalogue.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

it('the main thread is not blocked while 20,000 games are parsed', async () => {
  const games = Array.from({ length: 20_000 }, (_, i) => ({
    id: `game-${i}`,
    name: `Game ${i}`,
    image: `https://cdn.example/${'x'.repeat(300)}/${i}.svg`,
  }));
  const text = JSON.stringify({ games });
  let ticks = 0;
  // On a single core, the main thread may get few ticks during one parse, so the test tries up to 20 parses.
  // If the main thread parsed the catalogue itself, it would get almost no ticks.
  for (let reading = 0; reading < 20 && ticks <= 100; reading++) {
    ticks = 0;
    let isDone = false;
    const tick = () => {
      ticks++;
      if (!isDone) setImmediate(tick);
    };
    tick();
    const { content } = await readCatalogue(bytesOf(text));
    isDone = true;
    expect(content.entries).toHaveLength(20_000);
  }
  expect(ticks).toBeGreaterThan(100);
});

/** Returns the text with spaces before it, so that it has this many bytes. */
const pad = (text: string, bytes: number) => ' '.repeat(bytes - Buffer.byteLength(text)) + text;

it('a catalogue of up to 64 KiB is parsed on the main thread, and a larger one in a worker', async () => {
  let threads = 0;
  const count = () => void threads++;
  process.on('worker', count);
  try {
    const text = JSON.stringify({ games: ['b', 'a'].map((id) => ({ id, name: `N ${id}`, has_demo: true })) });
    const origin = { prefix: 'x-', source: 'con_1' };
    const small = await readCatalogue(bytesOf(pad(text, maxDirectBytes)), { origin });
    expect([maxDirectBytes, threads]).toEqual([65_536, 0]);
    const large = await readCatalogue(bytesOf(pad(text, maxDirectBytes + 1)), { origin });
    expect(threads).toBe(1);
    expect(small.content.entries.map(({ gameId }) => gameId)).toEqual(['x-a', 'x-b']);
    expect(large.content).toEqual(small.content);
    expect([small.body.length, large.body.length]).toEqual([maxDirectBytes, maxDirectBytes + 1]);
  } finally {
    process.off('worker', count);
  }
});

it('reading a catalogue returns its bytes unchanged, and an index that matches the records', async () => {
  const text = JSON.stringify({ games: ['c', 'ä', 'a'].map((id) => ({ id, name: `N ${id}` })) });
  const { body, content } = await readCatalogue(bytesOf(text));
  expect(body.toString('utf8')).toBe(text);
  const records = content.entries.map(({ start, end }) =>
    JSON.parse(content.json.subarray(start, end).toString('utf8')),
  );
  expect(records.map((record) => record.game_id)).toEqual(['a', 'c', 'ä']);
  expect(JSON.parse(`[${content.json.toString('utf8')}]`)).toEqual(records);
});

describe('reading a catalogue', () => {
  it.each([
    ['', 'not_json'],
    ['{', 'not_json'],
    ['null', 'wrong_shape'],
    ['[]', 'wrong_shape'],
    ['{"games":{}}', 'wrong_shape'],
    ['{"games":null}', 'wrong_shape'],
    ['['.repeat(2_000_000), 'not_json'],
  ])('reading an invalid text fails with the reason $1 (case %#)', async (text, reason) => {
    await expect(readCatalogue(bytesOf(text))).rejects.toMatchObject({ reason });
    const large = pad(text, Math.max(Buffer.byteLength(text), maxDirectBytes + 1));
    await expect(readCatalogue(bytesOf(large))).rejects.toMatchObject({ reason });
  });

  it('deeply nested lists fail with not_json if they are not closed, else with wrong_shape', async () => {
    const deep = '['.repeat(maxDirectBytes);
    await expect(readCatalogue(bytesOf(deep))).rejects.toMatchObject({ reason: 'not_json' });
    const closed = deep.slice(maxDirectBytes / 2) + ']'.repeat(maxDirectBytes / 2);
    await expect(readCatalogue(bytesOf(closed))).rejects.toMatchObject({ reason: 'wrong_shape' });
  });

  it('reading a catalogue is aborted at its deadline', async () => {
    const signal = AbortSignal.abort();
    for (const text of ['{"games":[]}', pad('{"games":[]}', maxDirectBytes + 1)]) {
      await expect(readCatalogue(bytesOf(text), { signal })).rejects.toMatchObject({ reason: 'timeout' });
    }
    const controller = new AbortController();
    const reading = readCatalogue(bytesOf(pad('{"games":[]}', maxDirectBytes + 1)), controller);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ reason: 'timeout' });
  });
});

it('a game id is read even if it names a property of JavaScript objects, such as __proto__', async () => {
  const text = '{"games":[{"id":"__proto__","name":"constructor","images":{"__proto__":"https://x/"}}]}';
  const { content } = await readCatalogue(bytesOf(text));
  expect(content.entries.map(({ gameId }) => gameId)).toEqual(['__proto__']);
  expect(JSON.parse(content.json.toString('utf8')).images).toBeNull();
});
