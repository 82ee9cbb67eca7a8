// Measures several contenders in turn, round after round, so that all see the same moods of a machine.

export async function interleave<Name extends string>(options: {
  rounds: number;
  contenders: Readonly<Record<Name, () => Promise<number>>>;
  onFigure?: (round: number, name: Name, figure: number) => void;
}): Promise<Record<Name, number[]>> {
  const names = Object.keys(options.contenders) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = 0; round < options.rounds; round++) {
    // Every other round backwards: whoever goes first has a cooler machine.
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      const figure = await options.contenders[name]();
      figures[name].push(figure);
      options.onFigure?.(round, name, figure);
    }
  }
  return figures;
}
