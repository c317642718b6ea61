import {describe, expect, it} from '@jest/globals'
import {lintExample} from '../../../src/author/lint/lint-example.js'
import type {LintDiagnostic} from '../../../src/author/lint/lint-diagnostic.js'
import type {LintExample} from '../../../src/author/lint/lint-rule.js'
import {WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'

interface LintCase extends LintExample {
  readonly name: string
  readonly reason: string
  readonly want: readonly string[]
}

/** A suite that lints each case's files and compares all that was found: `file:line field [rule]`, below `.registry/`. */
export function describeFindings(title: string, cases: readonly LintCase[]): void {
  describe(title, () => {
    it.each(cases)('$name: $reason', ({files, reference, want}) => {
      const example = reference === undefined ? {files} : {files, reference}
      expect(lintExample(example).map(placeOf)).toEqual(want)
    })
  })
}

/** A diagnostic without its texts. */
function placeOf({file, line, field, rule}: LintDiagnostic): string {
  const place = line === undefined ? file : `${file}:${line}`
  return `${place}${field === undefined ? '' : ` ${field}`} [${rule}]`.replace('.registry/', '')
}

/** An app.yaml with these lines besides what it has to have. */
export function app(...lines: readonly string[]): string {
  return ['title: Example', 'permissionScope: Cluster', ...lines, ''].join('\n')
}

/** An app.yaml that depends on these CRDs. */
export function dependsOn(...crds: readonly string[]): string {
  return app('dependsOn:', ...crds.map(crd => `- crd: "${crd}"`))
}

/** The CRD of another kind. */
export function crdOf(kind: string): string {
  return WIDGET_CRD.replaceAll('widget', kind.toLowerCase()).replaceAll('Widget', kind)
}
