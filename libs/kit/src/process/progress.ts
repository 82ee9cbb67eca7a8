// Shows the progress of a long command: a bar on a terminal, otherwise a line every 5 seconds.

const barWidth = 30;
const barEveryMs = 100;
const lineEveryMs = 5000;

export function openProgress(output: NodeJS.WriteStream, now: () => number = () => performance.now()) {
  const startedAt = now();
  const everyMs = output.isTTY ? barEveryMs : lineEveryMs;
  let shownAt = startedAt;
  let isBarShown = false;
  return {
    show: (done: { part: number | undefined; rows: number }): void => {
      const time = now();
      if (time - shownAt < everyMs) return;
      shownAt = time;
      const text = describe(done, (time - startedAt) / 1000);
      isBarShown = output.isTTY;
      output.write(output.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
    },
    finish: (): void => {
      if (isBarShown) output.write('\r\u001b[2K');
    },
  };
}

function describe({ part, rows }: { part: number | undefined; rows: number }, seconds: number) {
  const speed = Math.round(rows / Math.max(seconds, 0.001)).toLocaleString('en');
  const count = `${rows.toLocaleString('en')} rows, ${speed}/s`;
  if (part === undefined) return count;
  const filled = Math.round(part * barWidth);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
  const left = part > 0.01 ? `, ${Math.ceil(seconds / part - seconds)} s left` : '';
  return `${bar} ${Math.floor(part * 100)} %  ${count}${left}`;
}
