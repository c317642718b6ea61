import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {entryText} from '../../src/index/entry/entry-document.js'
import {programCommand} from '../built-program.js'
import {indexed} from '../index/registry/some-index.js'
import {smallEnvironment} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()
const source = join(folder, 'source.jsonl')
const VERSIONS = 40_000

beforeAll(() => {
  programCommand()
  const header = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageIndex'}
  const lines = Array.from({length: VERSIONS}, (_, at) =>
    entryText(indexed(`team/sql:v0.${at}.0`, {owns: ['tables.sql.org']})),
  )
  writeFileSync(source, `${[JSON.stringify(header), ...lines].join('\n')}\n`)
})

describe('an interrupted write of one file', () => {
  it('keeps the old content, and leaves no other files', async () => {
    const target = join(folder, 'target')
    mkdirSync(target)
    const file = join(target, 'index.jsonl')
    writeFileSync(file, 'old')
    const command = programCommand('registry', 'index', 'export', '--index', source, '--output-file', file)
    const child = spawn(...command, {stdio: 'ignore', env: smallEnvironment()})
    const exit = once(child, 'exit')
    while (child.exitCode === null && readdirSync(target).length === 1) await sleep(1)
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
    expect({names: readdirSync(target), text: readFileSync(file, 'utf8')}).toEqual({
      ...{names: ['index.jsonl'], text: 'old'},
    })
  })
})
