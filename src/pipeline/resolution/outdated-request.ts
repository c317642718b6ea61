import {concernedFormats, packageFormat} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import type {OutdatedReport} from '../../package/reports.js'
import {compareText} from '../../reference/compare-text.js'
import type {ReadRequest} from '../request/read-request.js'

/** Compares the lock of a request with what would be selected without it. Throws as `outdated` of its formats does. */
export async function outdatedRequest(request: ReadRequest): Promise<OutdatedReport> {
  const {lock} = request.policy
  if (lock === undefined) throw new RangeError('a lock is required')
  const recognized = await recognize(request)
  const reports: OutdatedReport[] = []
  for (const name of concernedFormats(recognized, lock.lock)) {
    const format = await packageFormat(name)
    reports.push(await format.outdated(recognized, lock))
  }
  return joinedOutdated(reports)
}

/** Joins the reports of several formats. */
export function joinedOutdated(reports: readonly OutdatedReport[]): OutdatedReport {
  return {
    packages: reports.flatMap(({packages}) => packages).sort((a, b) => compareText(a.package, b.package)),
    current: reports.reduce((sum, {current}) => sum + current, 0),
    notes: reports.flatMap(({notes}) => notes),
  }
}
