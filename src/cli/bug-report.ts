import {mkdtempSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {inspect} from 'node:util'

/**
 * Writes an unexpected error, with its stack, to a new file that only its owner reads; returns the file's path, or undefined
 * if it cannot be written.
 */
export function writeBugReport(error: unknown): string | undefined {
  const {platform, arch, version} = process
  const report = `node ${version} ${platform}-${arch}\n${inspect(error, {depth: 5})}\n`
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'kubectl-crossplane-')), 'bug.log')
    writeFileSync(file, report, {mode: 0o600})
    return file
  } catch {
    return undefined
  }
}
