import type {LintDiagnostic} from './lint-diagnostic.js'
import {lintPackage} from './lint-package.js'
import {EXAMPLE_APP, type LintExample} from './lint-rule.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {PackageFile} from '../../unpack/package-file.js'

/** Lints the example of a rule. */
export function lintExample({files, reference}: LintExample): LintDiagnostic[] {
  return lintPackage({
    files: exampleFiles(files),
    ...(reference === undefined ? {} : {reference: parsePackageImage(reference)}),
  })
}

function exampleFiles(files: LintExample['files']): PackageFile[] {
  const all: LintExample['files'] = {'app.yaml': EXAMPLE_APP, ...files}
  return Object.entries(all).flatMap(([path, content]) => {
    if (content === null) return []
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64')
    return [{path, bytes}]
  })
}
