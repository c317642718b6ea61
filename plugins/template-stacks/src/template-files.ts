import {
  CrossplaneError,
  formatImageName,
  locatePackage,
  parseImageName,
  referenceOf,
} from 'kubectl-crossplane/plugin'
import type {Diagnostic, LocatedPackage, PackagePorts} from 'kubectl-crossplane/plugin'
import {BEHAVIOR_FILE} from './behavior-file.js'
import type {Files} from './engines/engine.js'
import type {TemplatePackage} from './template-package.js'

/** The files of the templates folder, by their path in it. */
export interface TemplateFiles {
  readonly files: Files
  readonly notes: readonly Diagnostic[]
}

/**
 * Reads the templates folder of a package, from where the package was read. Throws `not-found` without such a folder, and
 * `unsupported` for a package whose templates are in another image.
 */
export async function readTemplateFiles(
  {located, behavior}: TemplatePackage,
  ports: PackagePorts,
): Promise<TemplateFiles> {
  const {image, path} = behavior.source
  const isOther = image !== undefined && !isOwn(image, located)
  if (isOther && located.reference !== undefined) throw otherImage(image, located)
  const {files} = await locatePackage(referenceOf(located), {...ports, filesOf: path})
  return {
    files: new Map(files.map(file => [file.path, file.bytes])),
    notes: isOther ? [otherImageNote(image, path)] : [],
  }
}

/** Compares without a digest: that of a package cannot be in the package itself. */
function isOwn(image: string, {reference}: LocatedPackage): boolean {
  const named = parseImageName(image)
  if (named === undefined || reference === undefined) return false
  const [one, other] = [named, reference].map(({registry, path, tag}) =>
    formatImageName({registry, path, tag}),
  )
  return one === other
}

function otherImage(image: string, {name}: LocatedPackage): CrossplaneError {
  return new CrossplaneError(
    'unsupported',
    `cannot read the templates of ${name}: they are in the image ${image}`,
    {
      diagnostics: [
        {
          severity: 'error',
          rule: 'behavior-image',
          message: `source.image names another image: ${image}`,
          file: BEHAVIOR_FILE,
          field: 'source.image',
        },
      ],
      suggestions: ['Pass a folder with .registry/ and the templates of that image.'],
    },
  )
}

function otherImageNote(image: string, path: string): Diagnostic {
  const message = `the folder ${path} of the package is used; in a cluster, the templates are from the image ${image}`
  return {severity: 'note', rule: 'behavior-image', message, file: BEHAVIOR_FILE}
}
