import {CrossplaneError, plainText} from 'kubectl-crossplane/plugin'
import type {EngineFault, InspectRequest, RenderRequest} from './engine.js'

const SUBJECTS = {helm3: 'the chart', kustomize: 'the kustomization', gotemplate: 'the templates'} as const

/** Returns the error of a fault: its diagnostic has the file and the line, if the engine knows them. */
export function faultError(
  {engine}: RenderRequest | InspectRequest,
  {code, message, path, line}: EngineFault,
): CrossplaneError {
  const cause = plainText(message)
  const subject = path === undefined ? SUBJECTS[engine] : placeOf(path, line)
  const diagnostics =
    path === undefined
      ? []
      : [{severity: 'error', rule: 'template-error', message: cause, file: path, line} as const]
  return new CrossplaneError(code, `cannot render ${subject}: ${cause}`, {diagnostics})
}

function placeOf(path: string, line: number | undefined): string {
  return line === undefined ? path : `${path}:${String(line)}`
}
