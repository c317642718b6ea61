import type {ReportProgress} from '../../registry/progress.js'

/** Returns ports that report retries and the number of entries, but not the parts of each entry: they are small and many. */
export function quietPorts<Ports extends {readonly report?: ReportProgress}>(ports: Ports): Ports {
  const {report} = ports
  if (report === undefined) return ports
  return {...ports, report: event => (REPORTED.includes(event.kind) ? report(event) : undefined)}
}

const REPORTED: readonly string[] = ['retry', 'entry-read']
