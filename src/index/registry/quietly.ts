import type {ReportProgress} from '../../registry/progress.js'

/** Hears of waiting and of how many entries were read, and not of the parts of each: they are small and many. */
export function quietly<Ports extends {readonly report?: ReportProgress}>(ports: Ports): Ports {
  const {report} = ports
  if (report === undefined) return ports
  return {...ports, report: event => (HEARD.includes(event.kind) ? report(event) : undefined)}
}

const HEARD: readonly string[] = ['retry', 'entry-read']
