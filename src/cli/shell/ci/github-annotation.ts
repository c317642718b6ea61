import type {Diagnostic} from '../../../diagnostic.js'
import {plainText} from '../text/plain-text.js'

/** A message that GitHub shows at a line of a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly message: string
  readonly title?: string
  /** Relative to the root of the repository. */
  readonly file?: string
  /** Counts from 1. */
  readonly line?: number
}

/**
 * Formats annotations as workflow commands, one line each, with escaped untrusted text, so that none of it is a command:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function formatAnnotations(annotations: readonly Annotation[]): string {
  return annotations.map(annotation => `${workflowCommand(annotation)}\n`).join('')
}

function workflowCommand({level, message, ...properties}: Annotation): string {
  const {file, line, title} = properties
  const parameters = Object.entries({file, line, title}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapedProperty(plainText(String(value)))}`],
  )
  return `::${level}${parameters.length === 0 ? '' : ` ${parameters.join(',')}`}::${escapedData(plainText(message))}`
}

/** As `escapeData` of https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts does. */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Returns a diagnostic as an annotation; `fileOf` returns the path of its file in the repository, if it is in one. */
export function annotationOf(
  {severity, rule, message, file, line}: Diagnostic,
  fileOf: (file: string) => string | undefined,
): Annotation {
  const level = severity === 'note' ? 'notice' : severity
  const path = file === undefined ? undefined : fileOf(file)
  if (file === undefined) return {level, title: rule, message}
  return path === undefined
    ? {level, title: rule, message: `${file}${line === undefined ? '' : `:${line}`}: ${message}`}
    : {level, title: rule, message, file: path, line}
}
