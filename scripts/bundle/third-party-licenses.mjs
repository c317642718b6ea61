const RULE = `${'-'.repeat(80)}\n`

/**
 * Returns the licenses of everything in a bundle that others wrote, and of the template engines and of Node.js where those
 * lie beside it.
 *
 * @param {readonly import('./bundled-packages.mjs').BundledPackage[]} packages
 * @param {{readonly engines?: string, readonly node?: {readonly version: string, readonly text: string}}} [beside]
 * @returns {string}
 */
export function thirdPartyLicenses(packages, {engines, node} = {}) {
  const parts = packages.map(({name, version, license, texts}) =>
    section(`${name} ${version} (${license})`, texts.length === 0 ? ['It contains no license file.'] : texts),
  )
  const intro =
    'kubectl-crossplane contains the following software. Its own license is in the file LICENSE.\n'
  const last = node === undefined ? [] : [section(`Node.js ${node.version}`, [node.text])]
  const compiled = engines === undefined ? [] : [engines]
  return [intro, ...parts, ...compiled, ...last].join(RULE)
}

/**
 * @param {string} title
 * @param {readonly string[]} texts
 */
function section(title, texts) {
  return `${title}\n\n${texts.map(text => `${text.replaceAll('\r\n', '\n').trim()}\n`).join('\n')}`
}
