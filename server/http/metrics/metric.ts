/** One line of the text that Prometheus reads: labels and a number. */
export interface Sample {
  /** Added to the metric's name: `_bucket`, `_sum`, `_count`. */
  suffix?: string
  labels?: Readonly<Record<string, string>>
  value: number
}

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** Read whenever somebody asks. */
  collect: () => Sample[] | Promise<Sample[]>
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** All metrics as Prometheus reads them. */
export async function renderMetrics(metrics: readonly Metric[]): Promise<string> {
  const parts = await Promise.all(metrics.map(renderMetric))
  return parts.join('')
}

async function renderMetric({ name, help, type, collect }: Metric): Promise<string> {
  const samples = await collect()
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) =>
      `${name}${suffix}${renderLabels(labels)} ${renderNumber(value)}\n`,
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeValue(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
}

function renderNumber(value: number): string {
  return value === Infinity ? '+Inf' : String(value)
}
