import type {LintDiagnostic} from '../../src/author/lint/lint-diagnostic.js'
import {lintPackage} from '../../src/author/lint/lint-package.js'
import {EXAMPLE_APP, type LintExample} from '../../src/author/lint/lint-rule.js'
import {parsePackageImage} from '../../src/reference/package-reference.js'
import type {PackageFile} from '../../src/unpack/package-file.js'

/** What lint finds in an example of a rule. */
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
