import {afterAll} from '@jest/globals'
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'

/** A new folder for the tests of a file or a describe, which is removed after the last of them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'test-of-kubectl-crossplane-'))
  afterAll(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}

/** Writes files by their path below a folder, which is returned. */
export function writeTree(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    writeFileSync(join(folder, path), content)
  }
  return folder
}
