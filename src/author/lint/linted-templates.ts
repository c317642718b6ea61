import type {Diagnostic} from '../../diagnostic.js'
import type {Behavior} from '../../unpack/package.js'
import type {TemplateFiles} from '../../unpack/templates/template-kinds.js'

/** Templates that could be read, with the behavior that they are for. */
export interface LintedTemplates {
  readonly behavior: Behavior
  readonly files: TemplateFiles
}

/** A diagnostic at a line of a template. */
export function templateDiagnostic(
  {behavior}: Pick<LintedTemplates, 'behavior'>,
  rule: string,
  {file, line}: {readonly file: string; readonly line: number},
  message: string,
): Diagnostic {
  return {severity: 'error', rule, message, file: `${behavior.source.path}/${file}`, line}
}
