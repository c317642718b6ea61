import type {Diagnostic} from '../../diagnostic.js'
import {isRecognized} from '../../unpack/file-kinds.js'
import {baseName, displayPath, type PackageFile} from '../../unpack/package-file.js'
import type {Candidate} from './candidate.js'

/** Reports files that are ignored because of their names. */
export function checkFiles({examination}: Candidate): Diagnostic[] {
  return examination.files.others.map(file => ({
    severity: 'warning',
    rule: 'file-unrecognised',
    message: `${baseName(file)} is not a file name of packages and is ignored${meaningOf(file)}`,
    file: displayPath(file),
  }))
}

/** A similar name that would be recognized. */
function meaningOf(file: PackageFile): string {
  const name = baseName(file)
  const usual = name
    .toLowerCase()
    .replace(/\.(?:yml|json)$/, '.yaml')
    .replace(/(crd|resource|group|app)s\.yaml$/, '$1.yaml')
    .replace(/ui[-_.]?schemas?\.yaml$/, 'ui-schema.yaml')
    .replace(/(?:icons|logo)\./, 'icon.')
  return usual !== name && isRecognized(usual) ? `; did you mean ${usual}?` : ''
}
