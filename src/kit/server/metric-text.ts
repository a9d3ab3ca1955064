/** One measured value, with labels that are words of the code, never an id or an address. */
export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface Metric {
  name: string;
  help: string;
  kind: 'counter' | 'gauge' | 'histogram';
  samples: readonly (Sample & { end?: '_bucket' | '_sum' | '_count' })[];
}

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** Metrics in the text that Prometheus reads, version 0.0.4. */
export const metricText = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, help, kind, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${kind}`,
      ...samples.map(({ labels = {}, value, end = '' }) => {
        const pairs = Object.entries(labels).map(([label, word]) => `${label}="${escaped(word)}"`);
        return `${name}${end}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
      }),
    ])
    .map((line) => `${line}\n`)
    .join('');

/** A number for each set of labels. */
export function openCounter() {
  const counts = new Map<string, { labels: Record<string, string>; value: number }>();
  return {
    add: (labels: Record<string, string>, by = 1) => {
      const key = JSON.stringify(labels);
      const own = counts.get(key) ?? { labels, value: 0 };
      own.value += by;
      counts.set(key, own);
    },
    samples: (): Sample[] => [...counts.values()],
  };
}

/** Counts of values up to each bound, for each word. */
export function openHistogram(label: string, bounds: readonly number[]) {
  const kinds = new Map<string, { buckets: number[]; sum: number; count: number }>();
  return {
    add: (word: string, value: number) => {
      const own = kinds.get(word) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 };
      for (const [index, bound] of bounds.entries())
        if (value <= bound) own.buckets[index] = (own.buckets[index] ?? 0) + 1;
      own.sum += value;
      own.count++;
      kinds.set(word, own);
    },
    samples: (): Metric['samples'] =>
      [...kinds].flatMap(([word, { buckets, sum, count }]) => [
        ...buckets.map((value, index) => ({
          labels: { [label]: word, le: String(bounds[index]) },
          value,
          end: '_bucket' as const,
        })),
        { labels: { [label]: word, le: '+Inf' }, value: count, end: '_bucket' as const },
        { labels: { [label]: word }, value: sum, end: '_sum' as const },
        { labels: { [label]: word }, value: count, end: '_count' as const },
      ]),
  };
}
