import type {Operation, Plan} from '../plan.js'
import {invalidPlan, type PlanDiagnostic, readPlan} from '../read-plan.js'
import {sha256Of} from '../sha256.js'
import {foldersAbove} from './folder-snapshot.js'
import {isListPath, isOutputPath, joinOwnedFiles, OWNED_FILES, parseOwnedFiles} from './owned-files.js'
import {FOLDER_TARGET} from './plan-folder.js'

/**
 * Reads a saved plan of an output folder from any source: every path must be one that this program writes, at most
 * once, and the list of managed files must agree with the operations. Risks depend on the folder and are omitted.
 * Throws as `readPlan` does.
 */
export function readFolderPlan(bytes: Uint8Array, file: string): Plan {
  const {origin, ...plan} = readPlan(bytes, file)
  if (origin !== undefined) {
    throw invalidPlan(file, [
      {field: 'origin', message: 'the plan is for a cluster, not for an output folder'},
    ])
  }
  const operations = plan.operations.map(({risks: _risks, ...operation}) => operation)
  const diagnostics = [...operations.flatMap(diagnosticsOf), ...pathDiagnostics(operations)]
  if (diagnostics.length > 0) throw invalidPlan(file, diagnostics)
  const contradictions = listDiagnostics(operations, file)
  if (contradictions.length > 0) throw invalidPlan(file, contradictions)
  return {...plan, operations}
}

function diagnosticsOf(operation: Operation, index: number): readonly PlanDiagnostic[] {
  const message = messageFor(operation)
  return message === undefined ? [] : [{field: `operations[${index}]`, message}]
}

function messageFor(operation: Operation): string | undefined {
  const {action, target, path = ''} = operation
  if (target !== FOLDER_TARGET) return 'the target is not an output folder'
  if (!isListPath(path) && !isOutputPath(path)) return 'the path is not one that this program writes'
  if (path === OWNED_FILES && action === 'delete') return 'the list of managed files is not deleted'
  return SHAPES[action] === shapeOf(operation) ? undefined : 'action, precondition and content do not match'
}

function shapeOf({precondition, content}: Operation): string {
  const isExisting = precondition !== undefined && 'sha256' in precondition
  return `${isExisting ? 'existing' : 'absent'} ${content === undefined ? 'empty' : 'content'}`
}

/** The precondition and content that an action requires. */
const SHAPES: Partial<Record<Operation['action'], string>> = {
  'create-only': 'absent content',
  replace: 'existing content',
  delete: 'existing empty',
}

function pathDiagnostics(operations: readonly Operation[]): readonly PlanDiagnostic[] {
  const paths = operations.map(({path = ''}) => path)
  const folders = new Set(paths.flatMap(foldersAbove))
  return paths.flatMap((path, index) => {
    if (paths.indexOf(path) === index && !folders.has(path)) return []
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
    if (isListPath(path)) return []
    const hashes = listed.get(path) ?? []
    const isRight = content === undefined ? hashes.length === 0 : hashes.includes(sha256Of(content))
    return isRight
      ? []
      : [{field: `operations[${index}]`, message: `${OWNED_FILES} of the plan does not agree`}]
  })
}
