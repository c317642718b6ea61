import type {LockedPackage} from './locked-packages.js'
import {NODE_VERSION, type Platform} from './platforms.js'

/** What is released. */
export interface Product {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

/** Returns a software bill of materials as CycloneDX 1.6 JSON: the bundled packages and Node. `time` is in seconds since 1970. */
export function sbom(
  product: Product,
  packages: readonly LockedPackage[],
  platforms: readonly Platform[],
  time: number,
): string {
  const root = `pkg:npm/${product.name}@${product.version}`
  const components = [
    ...packages.map(npmComponent),
    ...platforms.map(({npm, integrity}) =>
      npmComponent({name: npm, version: NODE_VERSION, license: 'MIT', integrity}),
    ),
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

/** CycloneDX has one field for IDs and another one for expressions. */
function licensesOf(spdx: string) {
  return [/[ ()]/.test(spdx) ? {expression: spdx} : {license: {id: spdx}}]
}
