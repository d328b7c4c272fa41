/** Counts what a service does, and shows it in the text format of Prometheus. No label has a client, a text or a value. */

type Labels = Readonly<Record<string, string>>;

export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: () => readonly (readonly [labels: Labels, value: number])[];
}

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 5, 30];

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #seconds = new Map<string, { readonly counts: number[]; sum: number; count: number }>();
  readonly #gauges: readonly Gauge[];

  constructor(gauges: readonly Gauge[]) {
    this.#gauges = gauges;
  }

  /** @param route the path with names in place of values */
  request(method: string, route: string, status: number, seconds: number): void {
    const key = labelled({ method, route, status: String(status) });
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    const known = this.#seconds.get(route) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 };
    for (const [index, bound] of buckets.entries())
      if (seconds <= bound) known.counts[index] = (known.counts[index] ?? 0) + 1;
    known.sum += seconds;
    known.count += 1;
    this.#seconds.set(route, known);
  }

  text(): string {
    const requests = [...this.#requests].map(
      ([labels, count]) => `identity_queries_requests_total${labels} ${count}`,
    );
    const seconds = [...this.#seconds].flatMap(([route, { counts, sum, count }]) => {
      const name = 'identity_queries_request_seconds';
      return [
        ...counts.map(
          (each, index) => `${name}_bucket${labelled({ route, le: String(buckets[index]) })} ${each}`,
        ),
        `${name}_bucket${labelled({ route, le: '+Inf' })} ${count}`,
        `${name}_sum${labelled({ route })} ${sum}`,
        `${name}_count${labelled({ route })} ${count}`,
      ];
    });
    return [
      ...family('identity_queries_requests_total', 'counter', 'Requests that were answered.', requests),
      ...family(
        'identity_queries_request_seconds',
        'histogram',
        'Seconds until the answer was sent.',
        seconds,
      ),
      ...this.#gauges.flatMap(({ name, help, values }) =>
        family(
          name,
          'gauge',
          help,
          values().map(([labels, value]) => `${name}${labelled(labels)} ${value}`),
        ),
      ),
      '',
    ].join('\n');
  }
}

function family(name: string, type: string, help: string, lines: readonly string[]): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function labelled(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value
        .replaceAll('\\', '\\\\')
        .replaceAll('"', String.raw`\"`)
        .replaceAll('\n', String.raw`\n`)}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
