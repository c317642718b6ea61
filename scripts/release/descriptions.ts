import {createHash} from 'node:crypto'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {homebrewFormula} from './homebrew-formula.js'
import {type Released, krewManifest} from './krew-manifest.js'
import type {LockedPackage} from './locked-packages.js'
import {archiveName} from './platforms.js'
import {type OtherPackage, type Product, sbom} from './sbom.js'

/** What the files beside the archives describe. */
export interface Described {
  readonly product: Product
  /** The text of krew-manifest.yaml of the repository. */
  readonly template: string
  readonly packages: readonly LockedPackage[]
  /** The Go modules of the template engines. */
  readonly modules: readonly OtherPackage[]
  readonly released: readonly Released[]
  readonly time: number
  readonly address: string
  readonly homepage: string
}

/** Names of the files that describe the archives. */
export const SBOM = 'kubectl-crossplane.cdx.json'
export const FORMULA = 'kubectl-crossplane.rb'
export const KREW_MANIFEST = 'krew-manifest.yaml'
export const CHECKSUMS = 'checksums.txt'
/** The name of the OCI archive with the image, where one is made. */
export const IMAGE = 'kubectl-crossplane-image.tar'

/** Writes what describes the archives in a folder, and the checksums of everything. */
export function writeDescriptions(folder: string, described: Described): void {
  const {product, template, packages, modules, released, time, address, homepage} = described
  const platforms = released.map(({platform}) => platform)
  const documents = {
    [SBOM]: sbom(product, packages, platforms, time, modules),
    [FORMULA]: homebrewFormula({...product, homepage}, address, released),
    [KREW_MANIFEST]: krewManifest(template, product.version, address, released),
  }
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text)
  const images = readdirSync(folder).filter(name => name === IMAGE)
  const names = [...Object.keys(documents), ...platforms.map(archiveName), ...images].sort()
  const lines = names.map(name => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
  writeFileSync(join(folder, CHECKSUMS), lines.join(''))
}

/** Returns the SHA-256 as hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
