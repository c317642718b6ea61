import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** An npm package of which the bundle contains code. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly license: string
  /** As package-lock.json has it. */
  readonly integrity: string
  /** The text of its license and its notice files. */
  readonly texts: readonly string[]
}

interface Locked {
  readonly version: string
  readonly license?: string
  readonly integrity?: string
}

const TEXTS = /^(licen[cs]e|notice|copying)/i

/** Returns the packages of the files that were bundled, by their names; `inputs` are paths relative to `root`. */
export function bundledPackages(root: string, inputs: readonly string[]): readonly BundledPackage[] {
  const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const folders = new Set(
    inputs.flatMap(path => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  )
  return [...folders].sort().flatMap(folder => {
    const locked = packages[folder]
    if (locked === undefined) throw new Error(`package-lock.json does not list ${folder}`)
    return [packageAt(root, folder, locked)]
  })
}

function packageAt(root: string, folder: string, {version, license, integrity}: Locked): BundledPackage {
  const pjson = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly license?: string
  }
  const spdx = license ?? pjson.license
  if (spdx === undefined || integrity === undefined)
    throw new Error(`the license or the integrity of ${folder} is not known`)
  const texts = readdirSync(join(root, folder))
    .filter(name => TEXTS.test(name))
    .sort()
    .map(name => readFileSync(join(root, folder, name), 'utf8'))
  return {name: pjson.name, version, license: spdx, integrity, texts}
}
