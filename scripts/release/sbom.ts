import type {LockedPackage} from './locked-packages.js'
import {NODE_VERSION, type Platform} from './platforms.js'

/** What is released. */
export interface Product {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

/** A package that npm does not have: of an operating system, or a Go module. */
export interface OtherPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  /** In hexadecimal digits. */
  readonly sha256?: string | undefined
  /** https://github.com/package-url/purl-spec */
  readonly purl: string
}

/**
 * Returns a software bill of materials as CycloneDX 1.6 JSON: the bundled packages, Node, and others: the Go modules of
 * the template engines, and the packages of a system that an image contains. `time` is in seconds since 1970.
 */
export function sbom(
  product: Product,
  packages: readonly LockedPackage[],
  platforms: readonly Platform[],
  time: number,
  others: readonly OtherPackage[],
): string {
  const root = `pkg:npm/${product.name}@${product.version}`
  const components = [
    ...packages.map(npmComponent),
    ...platforms.map(({npm, integrity}) =>
      npmComponent({name: npm, version: NODE_VERSION, license: 'MIT', integrity}),
    ),
    ...others.map(otherComponent),
  ]
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(time * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': root,
        name: product.name,
        version: product.version,
        description: product.description,
        licenses: licensesOf(product.license),
        purl: root,
      },
    },
    components,
    dependencies: [{ref: root, dependsOn: components.map(component => component['bom-ref'])}],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function npmComponent({name, version, license, integrity}: LockedPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: name.startsWith('node-') && version === NODE_VERSION ? 'platform' : 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: licensesOf(license),
    hashes: [
      {alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')},
    ],
    purl,
  }
}

function otherComponent({name, version, license, sha256, purl}: OtherPackage) {
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: licensesOf(license),
    ...(sha256 === undefined ? {} : {hashes: [{alg: 'SHA-256', content: sha256}]}),
    purl,
  }
}

/** CycloneDX has one field for IDs and another one for expressions. */
function licensesOf(spdx: string) {
  return [/[ ()]/.test(spdx) ? {expression: spdx} : {license: {id: spdx}}]
}
