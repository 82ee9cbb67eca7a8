// The methods of each path, so that a wrong method is distinguished from a wrong path.

export function createMethodTable() {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  return {
    add: (method: string | string[], url: string): void => {
      const known = routes.get(url);
      const methods = known?.methods ?? new Set<string>();
      for (const each of [method].flat()) methods.add(each);
      if (!known) routes.set(url, { pattern: toPattern(url), methods });
    },
    find: (path: string): string[] => {
      const found = new Set<string>();
      for (const { pattern, methods } of routes.values()) {
        if (pattern.test(path)) for (const method of methods) found.add(method);
      }
      return [...found].sort();
    },
  };
}

function toPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return '[^/]+';
      if (part === '*') return '.*';
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${source}$`);
}
