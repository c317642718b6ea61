import type {LintDiagnostic} from './lint-diagnostic.js'
import {lintPackage} from './lint-package.js'
import {lintXpkg} from './lint-xpkg.js'
import {EXAMPLE_APP, type LintExample} from './lint-rule.js'
import {present} from '../../present.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {PackageFile} from '../../unpack/package-file.js'

/** Lints the example of a rule. */
export function lintExample({
  xpkg,
  baseLayers,
  files = {},
  templates,
  unreadArchives,
  image,
  provided,
  reference,
}: LintExample): LintDiagnostic[] {
  if (xpkg !== undefined) {
    const all = textFiles(xpkg)
    const isExample = ({path}: PackageFile) => path.startsWith('examples/')
    const examples = all.filter(isExample)
    return lintXpkg({files: all.filter(file => !isExample(file)), examples, ...present({baseLayers})})
  }
  return lintPackage({
    files: exampleFiles(files),
    ...(templates === undefined ? {} : {templates: textFiles(templates)}),
    ...present({unreadArchives, image, provided}),
    ...(reference === undefined ? {} : {reference: parsePackageImage(reference)}),
  })
}

function textFiles(texts: Readonly<Record<string, string>>): PackageFile[] {
  return Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text)}))
}

function exampleFiles(files: NonNullable<LintExample['files']>): PackageFile[] {
  const all: NonNullable<LintExample['files']> = {'app.yaml': EXAMPLE_APP, ...files}
  return Object.entries(all).flatMap(([path, content]) => {
    if (content === null) return []
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64')
    return [{path, bytes}]
  })
}
