// dist/bundle: the program in one file, from what `npm run build` has built, with its code cache for this Node.js and
// the licenses of what it contains.
import {spawnSync} from 'node:child_process'
import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {bundleProgram} from './bundle/bundle-program.mjs'
import {thirdPartyLicenses} from './bundle/third-party-licenses.mjs'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/bundle')
const program = join(folder, 'kubectl-crossplane.cjs')
rmSync(folder, {recursive: true, force: true})
const metafile = await bundleProgram(root, program)
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), thirdPartyLicenses(root, metafile))
const args = [join(import.meta.dirname, 'bundle/write-code-cache.mjs'), program]
const {status, stderr} = spawnSync(process.execPath, args, {stdio: ['ignore', 'ignore', 'pipe']})
if (status !== 0) process.stderr.write(stderr)
process.exitCode = status ?? 1
