import type {ReportProgress} from '../../registry/progress.js'

/** Hears of waiting alone: entries are small and many, and nobody wants a line about each. */
export function quietly<Ports extends {readonly report?: ReportProgress}>(ports: Ports): Ports {
  const {report} = ports
  if (report === undefined) return ports
  return {...ports, report: event => (event.kind === 'retry' ? report(event) : undefined)}
}
