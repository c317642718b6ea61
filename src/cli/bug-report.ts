import {mkdtemp, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {inspect} from 'node:util'

/** Writes an unexpected error, with its stack, to a new file that only its owner reads; returns the file's path. */
export async function writeBugReport(error: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kubectl-crossplane-'))
  const file = join(folder, 'bug.log')
  const {platform, arch, version} = process
  await writeFile(file, `node ${version} ${platform}-${arch}\n${inspect(error, {depth: 5})}\n`, {mode: 0o600})
  return file
}
