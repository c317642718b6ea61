import type {Diagnostic} from 'kubectl-crossplane/plugin'
import type {TemplateFacts} from '../engines/engine.js'
import type {Templates} from '../render-resource.js'
import {templateFile} from './template-file.js'

/** Reports texts that cannot be parsed, and calls of functions that are not allowed. */
export function checkTexts(
  {templates: facts}: Pick<TemplateFacts, 'templates'>,
  {behavior}: Pick<Templates, 'behavior'>,
): readonly Diagnostic[] {
  // A chart with several aliases has one text.
  const texts = new Map(facts.map(each => [each.source ?? each.path, each]))
  return [...texts].flatMap(([path, {fault, functions}]): Diagnostic[] => {
    const file = templateFile(path, behavior)
    if (fault !== undefined) {
      const {message, line} = fault
      return [{severity: 'error', rule: 'template-syntax', message, file, line}]
    }
    return functions.flatMap(({name, line, rejected}): Diagnostic[] => {
      if (rejected === undefined) return []
      const message = `the function ${name} is not allowed: ${REASONS[rejected]}`
      return [{severity: 'error', rule: 'template-function', message, file, line}]
    })
  })
}

const REASONS = {
  random: 'it returns another value at each call',
  time: 'it returns another value at each call',
  network: 'it asks the network',
  environment: 'it reads the environment of the controller',
} as const
