import type {Operation, Plan} from '../plan.js'
import {expectWellFormed, invalidPlan, readPlan, refusedPlan} from '../read-plan.js'
import {sha256Of} from '../sha256.js'
import type {PlanDiagnostic} from '../shape.js'
import {foldersAbove} from './folder-snapshot.js'
import {FOLDER_TARGET} from './folder-target-name.js'
import {
  isBookkeepingPath,
  isListPath,
  isOutputPath,
  joinOwnedFiles,
  OWNED_FILES,
  parseOwnedFiles,
} from './owned-files.js'
import {contentProblem} from './planned-content.js'

/**
 * Reads a saved plan of an output folder from any source: every path must be one that this program writes, at most
 * once, every content one that install sets have, and the list of managed files must agree with the operations. Risks
 * depend on the folder and are omitted. Throws as `readPlan` does, and `output-refused` for another content.
 */
export function readFolderPlan(bytes: Uint8Array, file: string): Plan {
  const {origin, ...plan} = readPlan(bytes, file)
  if (origin !== undefined) {
    throw invalidPlan(file, [
      {field: 'origin', message: 'the plan is for a cluster, not for an output folder'},
    ])
  }
  const operations = plan.operations.map(({risks: _risks, ...operation}) => operation)
  const diagnostics = [...diagnosticsOf(operations, messageFor), ...pathDiagnostics(operations)]
  if (diagnostics.length > 0) throw invalidPlan(file, diagnostics)
  expectWellFormed(operations, file)
  const contradictions = listDiagnostics(operations, file)
  if (contradictions.length > 0) throw invalidPlan(file, contradictions)
  const refused = diagnosticsOf(operations, operation =>
    isListPath(operation.path ?? '') ? undefined : contentProblem(operation),
  )
  if (refused.length > 0) throw refusedPlan('output-refused', file, refused)
  return {...plan, operations}
}

function diagnosticsOf(
  operations: readonly Operation[],
  problem: (operation: Operation) => string | undefined,
): readonly PlanDiagnostic[] {
  return operations.flatMap((operation, index) => {
    const message = problem(operation)
    const {action, path = ''} = operation
    return message === undefined
      ? []
      : [{field: `operations[${index}]`, message: `${action} ${path.slice(0, MAX_SHOWN)}: ${message}`}]
  })
}

const MAX_SHOWN = 200

function messageFor({action, target, path = ''}: Operation): string | undefined {
  if (target !== FOLDER_TARGET) return 'the target is not an output folder'
  if (!isBookkeepingPath(path) && !isOutputPath(path)) return 'the path is not one that this program writes'
  return path === OWNED_FILES && action === 'delete' ? 'the list of managed files is not deleted' : undefined
}

function pathDiagnostics(operations: readonly Operation[]): readonly PlanDiagnostic[] {
  const paths = operations.map(({path = ''}) => path)
  const folders = new Set(paths.flatMap(foldersAbove))
  const first = new Map(paths.toReversed().map((path, index) => [path, paths.length - 1 - index]))
  return paths.flatMap((path, index) => {
    if (first.get(path) === index && !folders.has(path)) return []
    return [
      {field: `operations[${index}].path`, message: 'another operation has the same path or one below it'},
    ]
  })
}

/** Operations that the new list of managed files contradicts. */
function listDiagnostics(operations: readonly Operation[], file: string): readonly PlanDiagnostic[] {
  const lists = operations.filter(({path = ''}) => isListPath(path))
  if (lists.length === 0) return []
  const listed = joinOwnedFiles(lists.map(({content, path}) => parseOwnedFiles(content, file, path)))
  return operations.flatMap(({path = '', content}, index) => {
    if (isBookkeepingPath(path)) return []
    const hashes = listed.get(path) ?? []
    const isRight = content === undefined ? hashes.length === 0 : hashes.includes(sha256Of(content))
    return isRight
      ? []
      : [{field: `operations[${index}]`, message: `${OWNED_FILES} of the plan does not agree`}]
  })
}
