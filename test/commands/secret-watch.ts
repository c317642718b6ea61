import {mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {programCommand} from '../built-program.js'
import {canary, disguises} from '../canary.js'
import {preloading, type ProgramResult, runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'

const ALL = temporaryFolder()

/** How a program is run that is watched. */
export interface WatchedRun {
  /** docker's config.json. */
  readonly config?: object
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** The path of a module that is loaded before the program. */
  readonly preloaded?: string
}

/** Runs the program with secrets, and looks for them in all that it prints and leaves. */
export class SecretWatch {
  readonly #secrets: string[] = []
  readonly #printed: {readonly by: string; readonly text: string}[] = []
  readonly #folder = mkdtempSync(join(ALL, 'watched-'))
  readonly #kept = mkdtempSync(join(ALL, 'kept-'))

  /** A new one, which nothing may tell. */
  secret(name: string): string {
    return this.add(canary(name))
  }

  add(secret: string): string {
    this.#secrets.push(secret)
    return secret
  }

  /** Where files with secrets may be; everywhere else they may not. */
  newFolder(): string {
    return mkdtempSync(join(this.#kept, 'kept-'))
  }

  /** A folder of the program's, in which everything is searched. */
  place(name: 'cache' | 'home' | 'tmp' | 'work'): string {
    const path = join(this.#folder, name)
    mkdirSync(path, {recursive: true, mode: 0o700})
    return path
  }

  /** Runs a command line with --debug. Nothing of the surroundings decides anything. */
  async run(argv: readonly string[], options: WatchedRun = {}): Promise<ProgramResult> {
    const {config = {}, input = '', env = {}, preloaded} = options
    const docker = this.newFolder()
    writeFileSync(join(docker, 'config.json'), JSON.stringify(config))
    const result = await runProgram(...programCommand(...argv, '--debug'), {
      input,
      cwd: this.place('work'),
      env: {
        HOME: this.place('home'),
        TMPDIR: this.place('tmp'),
        CROSSPLANE_CACHE_DIR: this.place('cache'),
        DOCKER_CONFIG: docker,
        ...(preloaded === undefined ? {} : preloading(preloaded)),
        ...env,
      },
    })
    this.#printed.push({by: argv.join(' '), text: result.stdout + result.stderr})
    return result
  }

  /** How much was printed so far, in bytes. */
  get bytesPrinted(): number {
    return this.#printed.reduce((sum, {text}) => sum + text.length, 0)
  }

  /** Files below the program's folders, by their paths. */
  get files(): readonly string[] {
    return readdirSync(this.#folder, {recursive: true, withFileTypes: true})
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
  }

  /** Each secret that was told, and by what. */
  leaks(): readonly string[] {
    const files = this.files.map(path => ({by: path, text: `${path}\n${readFileSync(path, 'latin1')}`}))
    return this.#secrets.flatMap(secret => {
      const forms = disguises(secret)
      return [...this.#printed, ...files]
        .filter(({text}) => forms.some(form => text.includes(form)))
        .map(({by, text}) => `${secret} by ${by}: ${lineOf(text, forms)}`)
    })
  }
}

function lineOf(text: string, forms: readonly string[]): string {
  return text.split('\n').find(line => forms.some(form => line.includes(form))) ?? ''
}
