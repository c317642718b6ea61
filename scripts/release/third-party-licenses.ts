import type {BundledPackage} from './bundled-packages.js'

const RULE = `${'-'.repeat(80)}\n`

/** Returns the licenses of everything in an archive that others wrote. */
export function thirdPartyLicenses(
  packages: readonly BundledPackage[],
  node: {readonly version: string; readonly text: string},
): string {
  const parts = packages.map(({name, version, license, texts}) =>
    section(`${name} ${version} (${license})`, texts.length === 0 ? ['It contains no license file.'] : texts),
  )
  const intro =
    'kubectl-crossplane contains the following software. Its own license is in the file LICENSE.\n'
  return [intro, ...parts, section(`Node.js ${node.version}`, [node.text])].join(RULE)
}

function section(title: string, texts: readonly string[]): string {
  return `${title}\n\n${texts.map(text => `${text.replaceAll('\r\n', '\n').trim()}\n`).join('\n')}`
}
