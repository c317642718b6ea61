import type {Diagnostic} from '../../diagnostic.js'
import {isRecognised} from '../../unpack/file-kinds.js'
import {baseName, displayPath, type PackageFile} from '../../unpack/package-file.js'
import type {Candidate} from './candidate.js'

/** Files that nobody reads because of their names. */
export function checkFiles({examination}: Candidate): Diagnostic[] {
  return examination.files.others.map(file => ({
    severity: 'warning',
    rule: 'file-unrecognised',
    message: `no file of a package is called ${baseName(file)}, so it is ignored${meant(file)}`,
    file: displayPath(file),
  }))
}

/** The name that was probably meant. */
function meant(file: PackageFile): string {
  const name = baseName(file)
  const usual = name
    .toLowerCase()
    .replace(/\.(?:yml|json)$/, '.yaml')
    .replace(/(crd|resource|group|app)s\.yaml$/, '$1.yaml')
    .replace(/ui[-_.]?schemas?\.yaml$/, 'ui-schema.yaml')
    .replace(/(?:icons|logo)\./, 'icon.')
  return usual !== name && isRecognised(usual) ? `: ${usual} would be read` : ''
}
