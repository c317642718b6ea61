import type {Diagnostic} from '../../diagnostic.js'
import type {Plan} from '../plan.js'
import type {FolderRules} from './plan-folder.js'

/** What a new version takes away of a package for which a file has a request. */
export interface FileLosses {
  readonly path: string
  readonly warnings: readonly Diagnostic[]
  /** Changes of CRDs that custom resources prevent, as errors. */
  readonly breaking: readonly Diagnostic[]
}

/** Returns a plan with what it takes away besides files: what a folder with CRDs is warned of or rejected for, one with requests is too. */
export function withLosses(plan: Plan, losses: readonly FileLosses[], {gatesCrds}: FolderRules): Plan {
  const risksAt = (file: string | undefined) =>
    losses
      .filter(({path}) => path === file)
      .flatMap(({warnings, breaking}) => (gatesCrds ? warnings : [...warnings, ...breaking.map(asWarning)]))
  const rejections = losses.flatMap(({path, breaking}) => breaking.map(one => ({...one, file: path})))
  return {
    ...plan,
    operations: plan.operations.map(operation => {
      const risks = risksAt(operation.path)
      return risks.length === 0 ? operation : {...operation, risks: [...(operation.risks ?? []), ...risks]}
    }),
    rejections: gatesCrds ? [...plan.rejections, ...rejections] : plan.rejections,
  }
}

function asWarning({suggestions: _ofRejections, ...one}: Diagnostic): Diagnostic {
  return {...one, severity: 'warning'}
}
