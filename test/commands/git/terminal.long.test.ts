import {expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {basename, dirname} from 'node:path'
import {programCommand} from '../../built-program.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {smallEnvironment} from '../../run-program.js'
import {GitWorlds} from './git-world.js'
import {httpBackend} from './http-backend.js'
import {gitVariables, runBuilt} from './killed-run.js'

/** Ends a program that waits for an answer. */
const MAX_MILLISECONDS = 50_000

const USER = /Username for '[^']*': /
const PASSWORD = /Password for '[^']*': /
const CONFIRMATION = /Commit this change\? \[y\/N\] /

/** A prompt in the output, and what is typed then. */
type Answer = readonly [prompt: RegExp, text: string]

/** Runs `package ARGS` on a terminal of its own, and answers each prompt. */
async function onTerminal(args: readonly string[], answers: readonly Answer[]) {
  const words = programCommand('package', ...args).flat()
  const command = words.map(word => `'${word}'`).join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {...smallEnvironment(), ...gitVariables(), TERM: 'xterm'},
    timeout: MAX_MILLISECONDS,
  })
  const prompts: string[] = []
  let [output, unread] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    unread += chunk
    const [prompt, text] = answers.find(([pattern]) => pattern.test(unread)) ?? []
    if (prompt === undefined) return
    // The line editor of the program prints its prompt again, with the answer.
    if (prompt === CONFIRMATION && prompts.includes(prompt.source)) return
    prompts.push(prompt.source)
    // Codes for the cursor can follow a prompt.
    unread = ''
    child.stdin.write(`${text}\n`)
  })
  const status = await new Promise<number | null>(resolve => {
    child.once('close', resolve)
  })
  return {status, output, prompts: [...new Set(prompts)]}
}

describeReal('a prompt of a change in Git', missingTool('git', 'script'), () => {
  const worlds = new GitWorlds()
  const packages = ['--packages', worlds.packages]

  /** Serves an empty repository that requires a password. */
  async function served<T>(work: (url: string) => Promise<T>): Promise<{result: T; commits: number}> {
    const bare = worlds.bare()
    const server = await httpBackend(dirname(bare.root), 'geheim')
    try {
      const result = await work(`http://${server.host}/${basename(bare.root)}`)
      return {result, commits: bare.commits()}
    } finally {
      await server.close()
    }
  }

  const credentials = (password: string): readonly Answer[] => [
    [USER, 'user'],
    [PASSWORD, password],
  ]

  it('is shown on a terminal, and its answer is used', async () => {
    const {result, commits} = await served(url =>
      onTerminal(
        ['install', 'x/bs:v1.0.0', '--git', url, ...packages],
        [...credentials('geheim'), [CONFIRMATION, 'y']],
      ),
    )
    expect(result).toMatchObject({
      status: 0,
      output: expect.stringContaining(': pushed '),
      prompts: [USER.source, PASSWORD.source, CONFIRMATION.source],
    })
    expect(result.output).not.toContain('geheim')
    expect(commits).toBe(2)
  })

  it('fails with a wrong password', async () => {
    const {result} = await served(url =>
      onTerminal(['install', 'x/bs:v1.0.0', '--git', url, ...packages], credentials('falsch')),
    )
    expect(result).toMatchObject({status: 1, output: expect.stringContaining('cannot read http://127.0.0.1')})
    expect(result.output).not.toContain('falsch')
  })

  it.each(['n', ''])('changes nothing after the answer "%s"', async answer => {
    const repository = worlds.repository()
    const {status, output} = await onTerminal(
      ['install', 'x/bs:v1.0.0', '--git', repository.root, ...packages],
      [[CONFIRMATION, answer]],
    )
    expect({status, output}).toEqual({status: 1, output: expect.stringContaining('was not confirmed')})
    expect([repository.commits(), repository.status()]).toEqual([1, ''])
  })

  it('is a failure without a terminal', async () => {
    const {result} = await served(url =>
      runBuilt(['install', 'x/bs:v1.0.0', '--git', url, ...packages, '--yes']),
    )
    expect(result).toMatchObject({status: 1, stderr: expect.stringContaining('cannot read http://127.0.0.1')})
    expect(result.stderr).toMatch(/terminal prompts disabled|could not read Username/)
    const repository = worlds.repository()
    const local = await runBuilt(['install', 'x/bs:v1.0.0', '--git', repository.root, ...packages])
    expect(local).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot prompt for confirmation without a terminal'),
    })
    expect([repository.commits(), repository.status()]).toEqual([1, ''])
  })
})
