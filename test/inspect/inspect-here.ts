import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {localPackage} from '../../src/adapters/local-package.js'
import type {InspectReport} from '../../src/inspect/inspect-report.js'
import type {InspectQuery} from '../../src/package/reports.js'
import {inspect} from '../../src/pipeline/inspect/inspect.js'

/** The options besides the package. */
export interface Said extends Partial<InspectQuery['parameters']> {
  readonly api?: InspectQuery['api']
  readonly asPackage?: string
}

/** The report of a package in a folder. */
export async function inspectHere(
  folder: string,
  {api = 'packages', asPackage, ...said}: Said = {},
): Promise<InspectReport> {
  const parameters = {
    systemNamespace: 'crossplane-system',
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
    pin: true,
    ...said,
  }
  const query = {reference: folder, api, parameters, ...(asPackage === undefined ? {} : {asPackage})}
  const {kind, report} = await inspect(query, {
    sources: {directory: localPackage, files: localFiles, file: localFile},
    remote: {},
  })
  if (kind !== 'InspectReport') throw new Error(`${folder} is no package of Crossplane v0.12`)
  return report
}
