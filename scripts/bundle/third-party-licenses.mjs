import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/**
 * Returns the licenses of the packages that a bundle contains code of, by name and version.
 *
 * @param {string} root the folder that the paths of the metafile are relative to
 * @param {import('esbuild').Metafile} metafile
 * @returns {string}
 */
export function thirdPartyLicenses(root, {outputs}) {
  const inputs = Object.values(outputs).flatMap(({inputs}) =>
    Object.keys(inputs).filter(path => (inputs[path]?.bytesInOutput ?? 0) > 0),
  )
  const folders = new Set(
    inputs.flatMap(path => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  const texts = new Set([...folders].map(folder => licenseOf(join(root, folder))))
  const head = 'This program contains code of the following packages.\n'
  return [head, ...[...texts].sort()].join(`\n${'-'.repeat(80)}\n\n`)
}

/** @param {string} folder */
function licenseOf(folder) {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)\b/i.test(file))
  if (license === undefined && files.length === 0) throw new Error(`cannot find the license of ${name}`)
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts, ''].join('\n\n')
}
