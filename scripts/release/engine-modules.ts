import {readFileSync} from 'node:fs'
import {engineFile} from '../bundle/engine-files.mjs'
import type {OtherPackage} from './sbom.js'

interface LinkedModule {
  readonly name: string
  readonly version: string
  readonly license: string
  /** As in go.sum. */
  readonly sum?: string
}

/** Returns Go and the modules that are linked into the template engines, as `npm run build:engines` lists them. */
export function engineModules(root: string): readonly OtherPackage[] {
  const modules = JSON.parse(
    readFileSync(engineFile(root, 'modules.json'), 'utf8'),
  ) as readonly LinkedModule[]
  return modules.map(({name, version, license, sum}) => ({
    name,
    version,
    license,
    sha256: sum === undefined ? undefined : Buffer.from(sum.replace('h1:', ''), 'base64').toString('hex'),
    purl: `pkg:golang/${name === 'Go' ? 'std' : name}@${version}`,
  }))
}
