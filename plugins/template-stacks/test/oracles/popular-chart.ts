/** A chart written after a popular one, and values that its users set. */
export interface PopularChart {
  readonly name: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly specs: readonly Readonly<Record<string, unknown>>[]
}

/** Writes a Chart.yaml. */
export const chartYaml = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`
