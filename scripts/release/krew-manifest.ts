import {dump, load} from 'js-yaml'
import {type Platform, archiveName, programName} from './platforms.js'

/** An archive that was built, and its SHA-256 as hexadecimal digits. */
export interface Released {
  readonly platform: Platform
  readonly sha256: string
}

interface Manifest {
  readonly spec: Readonly<Record<string, unknown>>
}

/** Returns the krew manifest of a release: the texts of the template, and the archives below an address. */
export function krewManifest(
  template: string,
  version: string,
  address: string,
  released: readonly Released[],
): string {
  const manifest = load(template) as Manifest
  const platforms = released.map(({platform, sha256}) => ({
    selector: {matchLabels: {os: platform.os, arch: platform.arch}},
    uri: `${address}/${archiveName(platform)}`,
    sha256,
    files: [{from: 'kubectl-crossplane/*', to: '.'}],
    bin: programName(platform),
  }))
  const spec = {...manifest.spec, version: `v${version}`, platforms}
  return dump({...manifest, spec}, {lineWidth: -1})
}
