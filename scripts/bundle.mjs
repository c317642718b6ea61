// dist/bundle: the program in one file, from what `npm run build` has built, with its code caches for this Node.js and
// the licenses of what it contains.
import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {bundleProgram} from './bundle/bundle-program.mjs'
import {bundledPackages} from './bundle/bundled-packages.mjs'
import {writeCodeCaches} from './bundle/code-cache.mjs'
import {copyEngineFiles, engineLicenses} from './bundle/engine-files.mjs'
import {copySiteFiles} from './bundle/site-files.mjs'
import {thirdPartyLicenses} from './bundle/third-party-licenses.mjs'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/bundle')
const program = join(folder, 'kubectl-crossplane.cjs')
rmSync(folder, {recursive: true, force: true})
const packages = bundledPackages(root, await bundleProgram(root, program))
writeFileSync(
  join(folder, 'THIRD-PARTY-LICENSES'),
  thirdPartyLicenses(packages, {engines: engineLicenses(root)}),
)
copyEngineFiles(root, folder)
copySiteFiles(root, folder)
writeCodeCaches(process.execPath, program)
